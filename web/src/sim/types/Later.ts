// Generated from the core; do not edit.

/**
 * The speed that an opened run goes on with.
 */
export type Later = {
/**
 * From this simulated time on.
 */
atNs: number,
/**
 * Simulated ns in a second of real time.
 */
speed: number, };
