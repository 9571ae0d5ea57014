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
 * The only lane (0-based) that differs, if there is one.
 */
lane: number | null,
/**
 * The scenario, with every default filled in.
 */
scenario: Scenario, };
