// Generated from the core; do not edit.

/**
 * How well a number is known.
 */
export type Mark = "measured" | "published" | "assumed";
