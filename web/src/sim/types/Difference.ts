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
 * Anything else, by the path of a property, e.g. `groups.hog.count` or `background` (null: none). Older files have JSON
 * pointers.
 */
set: { [key in string]: unknown }, };
