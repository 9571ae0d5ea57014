// Generated from the core; do not edit.

/**
 * A domain of a CPU at this moment.
 */
export type DomainNow = {
/**
 * The kernel's name of the level.
 */
name: string,
/**
 * Number of its CPUs.
 */
cpus: number,
/**
 * Interval of its balancing now, in ns.
 */
intervalNs: number,
/**
 * When it was balanced last, in ns.
 */
lastNs: number,
/**
 * Attempts in a row that moved nothing though they should have.
 */
failed: number,
/**
 * How much busier another group must be, in percent.
 */
imbalancePct: number, };
