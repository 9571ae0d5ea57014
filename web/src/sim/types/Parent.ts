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
 * Its CPU time for each child that it looks at when one has ended: `wait4` goes through all that it has. Then the run goes
 * on until it has waited for every child. If left out or 0 it sleeps until the run ends.
 */
waitCostNs?: number, };
