// Generated from the core; do not edit.

/**
 * Threads that may use the same CPUs.
 */
export type Pinned = {
/**
 * CPUs by number; an empty list means all.
 */
cpus: Array<number>,
/**
 * Threads by number, ascending.
 */
tasks: Array<number>, };
