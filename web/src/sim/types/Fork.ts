// Generated from the core; do not edit.

/**
 * A changed run beside the learner's own.
 */
export type Fork = {
/**
 * What it is called.
 */
label: string,
/**
 * New values, by the paths of properties: `groups.hog.count`, `background` (null: none), or of one lane
 * `lanes.1.stealThresh` and `lanes.4.era`.
 */
set: { [key in string]: unknown }, };
