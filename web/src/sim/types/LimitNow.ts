// Generated from the core; do not edit.

/**
 * A control group with a limit of CPU time. Times in ns.
 */
export type LimitNow = {
/**
 * Its name.
 */
name: string,
/**
 * CPU time that it gets in each period.
 */
quotaNs: number,
/**
 * CPU time that it may use now.
 */
leftNs: number,
/**
 * On how many CPUs it stands still because its time is used up.
 */
throttledCpus: number,
/**
 * When it gets time again; 0 if nothing waits for that.
 */
refillAtNs: number, };
