// Generated from the core; do not edit.
import type { HeldNow } from "./HeldNow";

/**
 * A control group with a limit of CPU time. Times in ns.
 */
export type LimitNow = {
/**
 * Its name.
 */
name: string,
/**
 * The groups of threads in it and below it, by number.
 */
groups: Array<number>,
/**
 * CPU time that it gets in each period.
 */
quotaNs: number,
/**
 * Length of a period.
 */
periodNs: number,
/**
 * CPU time that it may use now.
 */
leftNs: number,
/**
 * When it got time last.
 */
filledAtNs: number,
/**
 * When it gets time again; 0 if nothing waits for that.
 */
refillAtNs: number,
/**
 * Where it stands still because its time is used up.
 */
held: Array<HeldNow>, };
