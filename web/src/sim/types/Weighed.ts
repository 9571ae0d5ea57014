// Generated from the core; do not edit.

/**
 * A waiting thread as one CPU weighs it.
 */
export type Weighed = {
/**
 * The thread.
 */
task: number,
/**
 * What is added to its deadline on this CPU, in ns.
 */
offsetNs: number,
/**
 * Whether it may run there.
 */
allowed: boolean, };
