// Generated from the core; do not edit.

/**
 * How a run differs from the learner's own.
 */
export type Difference = {
/**
 * New values, by the paths of properties: `groups.hog.count`, `background` (null: none), or of one lane
 * `lanes.1.stealThresh` and `lanes.4.era`.
 */
set: { [key in string]: unknown }, };
