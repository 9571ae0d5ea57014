// Generated from the core; do not edit.

/**
 * What an idle CPU serves only after its idle-exit delay, beside signals of other CPUs.
 */
export type IdleExitDelays = "timers" | "all";
