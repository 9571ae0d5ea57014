// Generated from the core; do not edit.

/**
 * Whether idle CPUs take ticks.
 */
export type IdleTicks = "tickless" | "ticking";
