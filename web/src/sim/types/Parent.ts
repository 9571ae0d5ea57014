// Generated from the core; do not edit.

/**
 * A process that forks the threads of a group.
 */
export type Parent = {
/**
 * Its CPU time for each child; the machine's `costs.forkNs` if left out.
 */
forkCostNs?: number, };
