// Generated from the core; do not edit.

/**
 * The state that an idle CPU is in.
 */
export type IdleNow = {
/**
 * Its name in the list of the machine.
 */
state: string,
/**
 * What leaving it takes at most, in ns.
 */
exitNs: number,
/**
 * When the CPU entered it, in ns.
 */
sinceNs: number, };
