// Generated from the core; do not edit.

/**
 * What a control changes.
 */
export type ControlKind = "processes" | "workingSet" | "nice" | "tunable" | "start" | "limit" | "period";
