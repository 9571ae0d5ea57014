// Generated from the core; do not edit.

/**
 * Totals of a thread.
 */
export type ThreadReport = {
/**
 * Name.
 */
name: string,
/**
 * Group.
 */
group: string,
/**
 * Whether it is not part of the measured workload.
 */
background: boolean,
/**
 * Nice value at the end.
 */
nice: number,
/**
 * CPU time.
 */
cpuNs: number,
/**
 * Work done, in ns at full speed.
 */
workNs: number,
/**
 * Time waiting for a CPU.
 */
waitNs: number,
/**
 * Time asleep.
 */
sleepNs: number,
/**
 * Longest wait, without the wait before its first run; a wait that has not ended counts in full.
 */
longestWaitNs: number,
/**
 * The wait before its first run; if it has not ended, up to now.
 */
longestFirstWaitNs: number,
/**
 * Times switched in.
 */
switches: number,
/**
 * Times it left the CPU against its will.
 */
involuntary: number,
/**
 * Times it ran on another CPU than before.
 */
migrations: number,
/**
 * Whether it was placed on another CPU than its forker's when it was forked: 0 or 1.
 */
placements: number,
/**
 * CPU time by cause, in ns.
 */
byCauseNs: { [key in string]: number },
/**
 * When it ended; `null` if it has not.
 */
exitedAtNs: number | null, };
