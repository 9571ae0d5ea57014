// Generated from the core; do not edit.
import type { IdleWake } from "./IdleWake";

/**
 * An idle state.
 */
export type IdleState = {
/**
 * Its name, e.g. `C1`.
 */
name: string,
/**
 * Time to leave it. A state without such a time polls.
 */
exitNs: number,
/**
 * Length of idleness from which on it is worth while.
 */
residencyNs: number,
/**
 * What wakes a CPU in it.
 */
wake: IdleWake, };
