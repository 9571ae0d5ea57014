// Generated from the core; do not edit.
import type { Scenario } from "./Scenario";

/**
 * A run that is compared.
 */
export type Future = {
/**
 * What it is called; empty for the learner's own.
 */
label: string,
/**
 * What is compared, in the unit of the comparison; `null` where it is not defined.
 */
value: number | null,
/**
 * The lane (0-based) that alone differs, if one does.
 */
lane: number | null,
/**
 * The scenario, with every default filled in.
 */
scenario: Scenario, };
