// Generated from the core; do not edit.

/**
 * What a core does in a cycle, and how it waits for data.
 */
export type WorkSpec = {
/**
 * Compute cycles of one iteration of `loop` (8 bytes), in thousandths.
 */
loopMilliCycles: number,
/**
 * Compute cycles of one iteration of `chase` (a line of 64 bytes), in thousandths.
 */
chaseMilliCycles: number,
/**
 * How much of the shorter of computing and waiting hides behind the longer, in thousandths: 0 in order,
 * 500 to 800 out of order.
 */
overlapMilli: number,
/**
 * Width of the step from "fits" to "misses all" of an LRU cache, relative to its size, in thousandths.
 */
lruStepMilli: number, };
