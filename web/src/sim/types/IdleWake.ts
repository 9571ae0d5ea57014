// Generated from the core; do not edit.

/**
 * What wakes a CPU in an idle state.
 */
export type IdleWake = "store" | "ipi";
