// Generated from the core; do not edit.

/**
 * The speed with which an opened run continues.
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
