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
 * That of the options' values; else `s`, `%` or nothing.
 */
unit: string, };
