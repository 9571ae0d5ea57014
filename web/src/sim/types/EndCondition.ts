// Generated from the core; do not edit.

/**
 * When the run is over: at a time, or earlier when all threads of the workload have exited.
 */
export type EndCondition = {
/**
 * The run never goes beyond this time.
 */
atNs: number,
/**
 * End as soon as every thread that is not background has exited.
 */
whenAllExited: boolean, };
