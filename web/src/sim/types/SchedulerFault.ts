// Generated from the core; do not edit.

/**
 * A wrong answer of a scheduler: the lane goes no further.
 */
export type SchedulerFault = {
/**
 * When, in ns.
 */
atNs: number,
/**
 * The hook that answered: `select_cpu`, `pick_next`, …
 */
hook: string,
/**
 * The task that it was about, by number.
 */
task: number | null,
/**
 * The CPU that it was about.
 */
cpu: number | null,
/**
 * What is wrong, in a sentence that names hook, task and CPU.
 */
message: string, };
