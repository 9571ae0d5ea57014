// Generated from the core; do not edit.

/**
 * Which way a number is better.
 */
export type Better = "higher" | "lower";
