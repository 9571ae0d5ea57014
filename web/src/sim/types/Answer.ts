// Generated from the core; do not edit.
import type { Better } from "./Better";
import type { Measure } from "./Measure";

/**
 * The number that answers the scenario's question.
 */
export type Answer = {
/**
 * What is measured; either this or an expression is given.
 */
measure?: Measure,
/**
 * What is measured, as an expression of the measure language. In it the word `lane` means each lane in turn.
 */
expression?: string,
/**
 * Name of the group or thread that is measured; all threads of the workload if left out. An expression names it
 * itself.
 */
of?: string,
/**
 * Which direction is better; that of the measure if left out, and none for an expression.
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
