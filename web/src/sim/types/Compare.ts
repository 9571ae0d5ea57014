// Generated from the core; do not edit.

/**
 * The comparison.
 */
export type Compare = {
/**
 * What it is called, e.g. `last exit`.
 */
label: string,
/**
 * Expression, evaluated in the learner's run and in each fork.
 */
value: string,
/**
 * Unit, as of [`Question::Number`].
 */
unit: string, };
