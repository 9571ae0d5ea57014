// Generated from the core; do not edit.
import type { OwnMistake } from "./OwnMistake";
import type { OwnValue } from "./OwnValue";

/**
 * An expression over the part of a run that is over.
 */
export type OwnMeasure = {
/**
 * One value for each lane; a single one where the expression is not about one lane after the other.
 */
values: Array<OwnValue>,
/**
 * Whether there is one for each lane.
 */
byLane: boolean,
/**
 * What is wrong; then there are no values.
 */
mistake: OwnMistake | null, };
