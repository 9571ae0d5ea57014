// Generated from the core; do not edit.

/**
 * The position of each CPU's ticks within a tick period.
 */
export type TickPhase = "kernel" | "staggered" | "aligned";
