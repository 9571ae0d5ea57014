// Generated from the core; do not edit.
import type { ConfigError } from "./ConfigError";
import type { Scenario } from "./Scenario";

/**
 * The content of a text, and its errors.
 */
export type Checked = {
/**
 * The errors in the order of the file; none if it can run.
 */
errors: Array<ConfigError>,
/**
 * The scenario with every default filled in; nothing if the text does not have the form of a scenario.
 */
scenario: Scenario | null, };
