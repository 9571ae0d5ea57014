// Generated from the core; do not edit.

/**
 * How far an answer may lie from the truth.
 */
export type Tolerance = number | string;
