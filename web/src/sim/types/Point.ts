// Generated from the core; do not edit.
import type { Tab } from "./Tab";

/**
 * The place that a step shows. If the run has no match, this is no error: the step shows its `otherwise`.
 */
export type Point = {
/**
 * Lane, from 1; the first if left out.
 */
lane?: number,
/**
 * A time, as an expression: `4s`, `exit(1, last)`.
 */
at?: string,
/**
 * A decision by its reason; the step's card, if it explains.
 */
reason?: string,
/**
 * Which of these decisions, from 1; the first if left out; -1 is the last.
 */
nth?: number,
/**
 * Only about this thread; with neither time nor reason it is selected.
 */
thread?: string,
/**
 * Only about this CPU; with neither time nor reason it is selected.
 */
cpu?: number,
/**
 * Only after this time, as an expression.
 */
after?: string,
/**
 * The tab of the timelines that is shown.
 */
tab?: Tab, };
