// Generated from the core; do not edit.

/**
 * A function of the measure language.
 */
export type FunctionEntry = {
/**
 * Its name.
 */
name: string,
/**
 * Its parameters, in order.
 */
parameters: Array<string>,
/**
 * How it is called, with brackets around what may be left out.
 */
usage: string,
/**
 * Whether only lessons have what it asks for.
 */
ofLessons: boolean,
/**
 * The kind of its value, which says the unit: `a time`, `a share`, `a count`, `a number`, lists of these such as `times`,
 * or that of something else: `as x`.
 */
gives: string,
/**
 * Its value, in a sentence.
 */
summary: string, };
