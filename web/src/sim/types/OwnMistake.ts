// Generated from the core; do not edit.

/**
 * What is wrong with an expression.
 */
export type OwnMistake = {
/**
 * Its column, from 1, counted in characters.
 */
column: number,
/**
 * What is wrong there.
 */
message: string, };
