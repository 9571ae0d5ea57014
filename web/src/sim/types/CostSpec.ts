// Generated from the core; do not edit.

/**
 * Direct costs of scheduling.
 */
export type CostSpec = {
/**
 * A yield that comes back to the same thread.
 */
yieldNs: number,
/**
 * A switch to another thread.
 */
switchNs: number,
/**
 * A timer tick.
 */
tickNs: number,
/**
 * Delay from signalling a busy CPU to its rescheduling.
 */
kickNs: number,
/**
 * Delay from signalling an idle CPU whose core is otherwise busy, at most that of its idle state.
 */
idleExitNs: number,
/**
 * Delay from signalling a CPU of a completely idle core. Used where the machine names no idle states.
 */
idleExitDeepNs: number,
/**
 * CPU time of a parent for each child that it forks; unknown if left out.
 */
forkNs?: number,
/**
 * Transfer of a dirty line between two cores that share a last-level cache.
 */
lineTransferNs: number,
/**
 * The same between cores that do not; as `lineTransferNs` if left out.
 */
lineTransferFarNs?: number, };
