// Generated from the core; do not edit.

/**
 * What a parameter may hold.
 */
export type ParamKind = { "type": "int",
/**
 * Smallest value allowed.
 */
min: number,
/**
 * Largest value allowed.
 */
max: number,
/**
 * Value when the scenario does not name one.
 */
default: number,
/**
 * Whether a slider should be logarithmic.
 */
log: boolean, } | { "type": "choice",
/**
 * The words allowed.
 */
options: Array<string>,
/**
 * The word when the scenario does not name one.
 */
default: string, } | { "type": "text",
/**
 * Longest text allowed, in bytes.
 */
maxLength: number,
/**
 * Text when the scenario does not name one.
 */
default: string, } | { "type": "flag",
/**
 * Value when the scenario does not name one.
 */
default: boolean, };
