// Generated from the core; do not edit.

/**
 * A value of a parameter as written in a scenario.
 */
export type ParamValue = boolean | number | string;
