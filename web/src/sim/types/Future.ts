// Generated from the core; do not edit.
import type { Scenario } from "./Scenario";

/**
 * A run that is compared.
 */
export type Future = {
/**
 * Its name; empty for the learner's own.
 */
label: string,
/**
 * The compared value, in the unit of the comparison; `null` where it is not defined.
 */
value: number | null,
/**
 * The learner's lane (0-based) that it changes, if only tunables and era of one differ.
 */
of: number | null,
/**
 * Position (0-based) of the changed copy of that lane in the scenario.
 */
lane: number | null,
/**
 * The scenario, with every default filled in.
 */
scenario: Scenario, };
