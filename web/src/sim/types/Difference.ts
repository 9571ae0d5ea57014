// Generated from the core; do not edit.

/**
 * How a run differs from the learner's own.
 */
export type Difference = {
/**
 * Only in this lane (from 1): its scheduler's tunables and era; in every lane that has them if left out.
 */
lane?: number,
/**
 * Tunables that change.
 */
tunables: { [key in string]: unknown },
/**
 * Another era of the lane's scheduler.
 */
era?: string,
/**
 * Anything else, by JSON pointer into the scenario, e.g. `/groups/0/count` or `/background` (null: none).
 */
set: { [key in string]: unknown }, };
