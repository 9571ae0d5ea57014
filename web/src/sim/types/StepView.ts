// Generated from the core; do not edit.
import type { Future } from "./Future";
import type { Measured } from "./Measured";
import type { PointView } from "./PointView";

/**
 * A step with the values of the learner's run. The transfer is the step after the last.
 */
export type StepView = {
/**
 * Its text or question, filled in; `otherwise` where the run has no such moment.
 */
text: string,
/**
 * The place that it shows; `null` if there is none, or if the run has no such moment.
 */
point: PointView | null,
/**
 * Whether the step names a moment that the run lacks.
 */
missing: boolean,
/**
 * The truth in the form of the question: option from 1, number in its unit, items from 1 in order, values at the
 * handles. `null` if there is no truth or no answer was given.
 */
truth: number | Array<number> | null,
/**
 * For a choice between values (`nearest(x, […])`): x itself; `null` for all others and without an answer.
 */
measured: Measured | null,
/**
 * Whether the answer is right; `null` if none was given or the question is not marked.
 */
right: boolean | null,
/**
 * Feedback to the answer; empty without one.
 */
say: string,
/**
 * For a change: the learner's run first, then each fork.
 */
futures: Array<Future>,
/**
 * For a change: the text when both are known. For the transfer: its answer.
 */
then: string, };
