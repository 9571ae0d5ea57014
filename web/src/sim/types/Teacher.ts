// Generated from the core; do not edit.

/**
 * Texts for the teacher only.
 */
export type Teacher = {
/**
 * A question for the class.
 */
ask: string,
/**
 * The surprising point.
 */
surprise: string,
/**
 * A plan for the time.
 */
time: string, };
