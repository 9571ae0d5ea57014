// Generated from the core; do not edit.
import type { Future } from "./Future";
import type { Measured } from "./Measured";
import type { PointView } from "./PointView";

/**
 * A step as the learner's run fills it. The transfer is the step after the last.
 */
export type StepView = {
/**
 * Its text or question, filled in; `otherwise` where the run has no such moment.
 */
text: string,
/**
 * Where it looks; `null` if nowhere, or if the run has no such moment.
 */
point: PointView | null,
/**
 * Whether the step names a moment that the run lacks.
 */
missing: boolean,
/**
 * What the run gives, as the question counts it: option from 1, number in its unit, items from 1 in order, values at
 * the handles; `null` where there is no truth or no answer was given.
 */
truth: number | Array<number> | null,
/**
 * For a choice between values (`nearest(x, […])`): x itself; `null` for all others and without an answer.
 */
measured: Measured | null,
/**
 * Whether the answer is right; `null` where none was given or nothing is marked.
 */
right: boolean | null,
/**
 * What is said of the answer; empty without one.
 */
say: string,
/**
 * For a change: the learner's run first, then each fork.
 */
futures: Array<Future>,
/**
 * For a change: what is said when both are known. For the transfer: its answer.
 */
then: string, };
