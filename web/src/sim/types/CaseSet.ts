// Generated from the core; do not edit.

/**
 * Who sees a case when.
 */
export type CaseSet = "shown" | "hidden" | "bonus";
