// Generated from the core; do not edit.

/**
 * The events that an idle CPU serves only after its idle-exit delay, besides signals of other CPUs.
 */
export type IdleExitDelays = "timers" | "all";
