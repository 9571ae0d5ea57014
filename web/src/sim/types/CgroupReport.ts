// Generated from the core; do not edit.

/**
 * What was counted of a control group.
 */
export type CgroupReport = {
/**
 * Name.
 */
name: string,
/**
 * Counts and times in ns, by id: `nrPeriods`, `nrThrottled`, `throttledTime`, `throttledTimeInherited`, `nrBursts`,
 * `burstTime`.
 */
counts: { [key in string]: number }, };
