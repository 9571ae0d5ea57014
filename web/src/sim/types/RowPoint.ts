// Generated from the core; do not edit.

/**
 * A run of a row.
 */
export type RowPoint = {
/**
 * Position on the axis.
 */
at: number,
/**
 * New values, by the paths of properties: `groups.hog.count`, `background` (null: none), or of one lane
 * `lanes.1.stealThresh` and `lanes.4.era`.
 */
set: { [key in string]: unknown }, };
