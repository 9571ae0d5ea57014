// Generated from the core; do not edit.

/**
 * Scheduling policy of a task (kernel: `SCHED_*`).
 */
export type Policy = "normal" | "batch" | "idle" | "iso" | "fifo" | "roundRobin";
