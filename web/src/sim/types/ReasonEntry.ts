// Generated from the core; do not edit.

/**
 * A row of a scheduler's table of reasons.
 */
export type ReasonEntry = {
/**
 * The kernel's word for it, e.g. `earliest_deadline`.
 */
id: string,
/**
 * Kind of decision: `selectCpu`, `pickNext`, `preempt`, `noPreempt`, `sliceEnd`, `requeue`, `priority`,
 * `inherit`, `steal`, `balance`, `refuse`, `migrate`.
 */
kind: string,
/**
 * The kernel function and release that it models.
 */
kernel: string,
/**
 * Names of the four operands; empty where unused.
 */
operands: [string, string, string, string],
/**
 * Units of the four operands.
 */
units: [string, string, string, string], };
