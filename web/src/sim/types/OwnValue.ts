// Generated from the core; do not edit.

/**
 * The value of an expression in a lane, or of all lanes.
 */
export type OwnValue = {
/**
 * The number in its base unit: times in ns, shares as parts of one; `null` for anything else.
 */
number: number | null,
/**
 * The unit: `ns`, `share`, `count`, or nothing.
 */
unit: string,
/**
 * How the command line prints it, in the language that was asked for.
 */
text: string, };
