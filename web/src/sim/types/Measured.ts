// Generated from the core; do not edit.

/**
 * A number of the learner's run.
 */
export type Measured = {
/**
 * In its unit.
 */
value: number,
/**
 * `s`, `%` or nothing.
 */
unit: string, };
