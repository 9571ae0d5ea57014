// Generated from the core; do not edit.
import type { Compare } from "./Compare";
import type { Feedback } from "./Feedback";
import type { Fork } from "./Fork";
import type { Point } from "./Point";
import type { Question } from "./Question";

/**
 * A step: one prompt at a time.
 */
export type Step = { "kind": "situation",
/**
 * Text, at most 60 words.
 */
text: string, } | { "kind": "predict",
/**
 * Name of the question, in answers and tables.
 */
id: string,
/**
 * The question.
 */
ask: string,
/**
 * Kind of answer.
 */
answer: Question,
/**
 * Expression for the truth in the learner's run. For a choice: the option from 1; for an order: the items
 * from 1 in their true order; for a curve: the values at its handles.
 */
truth: string,
/**
 * The truth of this build in the shipped run, in the form of the question.
 */
expected: number | Array<number>,
/**
 * Feedback to an answer; the first that fits is shown.
 */
feedback: Array<Feedback>, } | { "kind": "run",
/**
 * Text, if any.
 */
text: string,
/**
 * Where it stops; at the end if left out.
 */
stop?: Point,
/**
 * Shown if the run has no such moment.
 */
otherwise: string, } | { "kind": "observe",
/**
 * Name of the question, in answers and tables.
 */
id: string,
/**
 * The question.
 */
ask: string,
/**
 * Options; without any the learner writes a line.
 */
options: Array<string>,
/**
 * Expression: the option (from 1) that the run shows; not marked if left out.
 */
truth?: string,
/**
 * Where to look.
 */
point?: Point,
/**
 * Shown if the run has no such moment.
 */
otherwise: string, } | { "kind": "explain",
/**
 * Text, at most 60 words.
 */
text: string,
/**
 * Where to look.
 */
point?: Point,
/**
 * Shown instead of the text if the run has no such moment.
 */
otherwise: string, } | { "kind": "change",
/**
 * Text, at most 60 words.
 */
text: string,
/**
 * The changed runs. One that sets only tunables and the era of one lane is shown beside that lane; any other
 * replaces all lanes.
 */
forks: Array<Fork>,
/**
 * The comparison.
 */
compare: Compare,
/**
 * The values of this build: the learner's run first, then each fork.
 */
expected: Array<number>,
/**
 * Shown when both are known, at most 60 words.
 */
then: string, };
