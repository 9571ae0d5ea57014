// Generated from the core; do not edit.

/**
 * The threads of a group that have not ended: those that are yet to start and those that were forked count. Where none is
 * left, what a new one would have.
 */
export type GroupNow = {
/**
 * How many.
 */
count: number,
/**
 * Nice value; nothing where they differ.
 */
nice: number | null,
/**
 * Bytes that each sweeps; nothing where they differ.
 */
workingSetBytes: number | null,
/**
 * CPUs that they may use, by number; an empty list stands for all, nothing where they differ.
 */
allowed: Array<number> | null, };
