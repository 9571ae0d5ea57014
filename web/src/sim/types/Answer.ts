// Generated from the core; do not edit.
import type { Better } from "./Better";
import type { Measure } from "./Measure";

/**
 * The number that answers the scenario's question.
 */
export type Answer = {
/**
 * What is measured.
 */
measure: Measure,
/**
 * Name of the group or thread that is measured; all threads of the workload if left out.
 */
of?: string,
/**
 * Which direction is better; that of the measure if left out.
 */
better?: Better,
/**
 * The fair value, in the unit of the measure: ns, a part of one, or a number.
 */
fair?: number,
/**
 * The measure of the cost of a better answer; shown beside it, smaller.
 */
price?: Measure, };
