// Generated from the core; do not edit.

/**
 * The threads of a group that have not ended, including forked ones and those that have not started. If none is left:
 * the values that a new thread would have.
 */
export type GroupNow = {
/**
 * How many.
 */
count: number,
/**
 * Nice value; nothing if they differ.
 */
nice: number | null,
/**
 * Bytes that each sweeps; nothing if they differ.
 */
workingSetBytes: number | null,
/**
 * CPUs that they may use, by number; an empty list means all, nothing if they differ.
 */
allowed: Array<number> | null, };
