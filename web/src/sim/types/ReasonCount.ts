// Generated from the core; do not edit.

/**
 * How often a reason was given.
 */
export type ReasonCount = {
/**
 * The kernel's word.
 */
reason: string,
/**
 * Kind of decision.
 */
kind: string,
/**
 * All decisions for this reason.
 */
count: number,
/**
 * Those about a CPU, by its number.
 */
byCpu: { [key in number]: number },
/**
 * Those about a thread, by its name.
 */
byThread: { [key in string]: number }, };
