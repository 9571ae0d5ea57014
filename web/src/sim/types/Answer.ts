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
 * Whose: the name of a group or of a thread. All threads of the workload if left out.
 */
of?: string,
/**
 * Which way is better; as the measure has it if left out.
 */
better?: Better,
/**
 * The fair value, in the unit of the measure: ns, a part of one, or a number.
 */
fair?: number,
/**
 * What a better answer costs: shown beside it, smaller.
 */
price?: Measure, };
