// Generated from the core; do not edit.
import type { Scenario } from "./Scenario";

/**
 * A shipped scenario.
 */
export type ScenarioEntry = {
/**
 * File stem.
 */
id: string,
/**
 * The scenario.
 */
scenario: Scenario, };
