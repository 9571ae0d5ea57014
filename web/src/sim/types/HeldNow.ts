// Generated from the core; do not edit.

/**
 * A CPU on which a control group stands still because its time is used up.
 */
export type HeldNow = {
/**
 * The CPU.
 */
cpu: number,
/**
 * Since when.
 */
sinceNs: number, };
