// Generated from the core; do not edit.

/**
 * Unbound daemons that sleep, are woken by timers and interrupts, run briefly, and wake each other.
 */
export type Daemons = {
/**
 * How many.
 */
count: number,
/**
 * First wake-ups per second of all of them together (exponential sleeps).
 */
wakesPerSecond: number,
/**
 * Share of these that arrive as an interrupt on a random CPU; the rest are timers on the CPU
 * where the daemon went to sleep.
 */
interruptPercent: number,
/**
 * Share of the timer wake-ups that are rounded up to that CPU's next tick.
 */
tickAlignedPercent: number,
/**
 * Mean of the exponential run length.
 */
runMeanNs: number,
/**
 * Probability that a run wakes another sleeping daemon, at a uniform point of the run.
 */
chainPercent: number, };
