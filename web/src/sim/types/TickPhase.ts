// Generated from the core; do not edit.

/**
 * Where each CPU's ticks lie within a tick period.
 */
export type TickPhase = "kernel" | "staggered" | "aligned";
