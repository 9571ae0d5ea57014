// Generated from the core; do not edit.

/**
 * When a property may be set.
 */
export type PropertyWhen = "start" | "live" | "run";
