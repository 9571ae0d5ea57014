// Generated from the core; do not edit.

/**
 * A process that forks the threads of a group.
 */
export type Parent = {
/**
 * Its CPU time for each child; the machine's `costs.forkNs` if left out.
 */
forkCostNs?: number,
/**
 * Its CPU time for each child that it checks when one has ended, because `wait4` goes through all of them. The run
 * then lasts until the parent has waited for every child. If left out or 0, the parent sleeps until the run ends.
 */
waitCostNs?: number, };
