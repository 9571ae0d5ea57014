// Generated from the core; do not edit.

/**
 * The better direction of a number.
 */
export type Better = "higher" | "lower";
