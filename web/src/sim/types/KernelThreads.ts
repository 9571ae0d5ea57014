// Generated from the core; do not edit.

/**
 * One kernel thread bound to each CPU.
 */
export type KernelThreads = {
/**
 * Wake-ups per second of each (exponential sleeps).
 */
wakesPerSecond: number,
/**
 * Length of each run.
 */
runNs: number, };
