// Generated from the core; do not edit.

/**
 * Moments that are worth seeing.
 */
export type MomentKind = "refusal" | "sharedCore" | "steal" | "balance" | "migration" | "wait" | "exit" | "wakeup";
