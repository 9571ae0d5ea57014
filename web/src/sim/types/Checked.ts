// Generated from the core; do not edit.
import type { ConfigError } from "./ConfigError";
import type { Scenario } from "./Scenario";

/**
 * What a text says, and what is wrong with it.
 */
export type Checked = {
/**
 * In the order of the file; none if it can run.
 */
errors: Array<ConfigError>,
/**
 * The scenario with every default filled in; nothing if the text has not the shape of one.
 */
scenario: Scenario | null, };
