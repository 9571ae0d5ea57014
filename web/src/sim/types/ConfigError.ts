// Generated from the core; do not edit.

/**
 * One thing that is wrong with a scenario, an edit or a machine.
 */
export type ConfigError = {
/**
 * Where, e.g. `groups[0].nice`.
 */
path: string,
/**
 * What is wrong, with the allowed values.
 */
message: string, };
