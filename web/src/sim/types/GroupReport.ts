// Generated from the core; do not edit.

/**
 * Totals of a group of threads.
 */
export type GroupReport = {
/**
 * Name.
 */
name: string,
/**
 * Whether it is not part of the measured workload.
 */
background: boolean,
/**
 * Number of its threads, including those that have ended.
 */
threads: number,
/**
 * CPU time.
 */
cpuNs: number,
/**
 * Part of all threads' CPU time; 0 while there is none.
 */
share: number,
/**
 * Work done, in ns at full speed.
 */
workNs: number,
/**
 * Time waiting for a CPU, of all its threads together.
 */
waitNs: number,
/**
 * Longest wait of a thread that has run before; a wait that has not ended counts in full.
 */
longestWaitNs: number,
/**
 * Longest wait of a thread before its first run; a wait that has not ended counts in full.
 */
longestFirstWaitNs: number,
/**
 * Times that its threads were switched in.
 */
switches: number,
/**
 * Times that they ran on another CPU than before.
 */
migrations: number,
/**
 * Threads that were placed on another CPU than their forker's when they were forked.
 */
placements: number, };
