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
 * What kind of answer.
 */
answer: Question,
/**
 * Expression: what the learner's run gives. For a choice the option from 1; for an order the items from 1 in
 * their true order; for a curve the values at its handles.
 */
truth: string,
/**
 * What this build gives for the shipped run, as the question counts it.
 */
expected: number | Array<number>,
/**
 * What is said of an answer; the first that fits.
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
 * Said where the run has no such moment.
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
 * Said where the run has no such moment.
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
 * Said instead of the text where the run has no such moment.
 */
otherwise: string, } | { "kind": "change",
/**
 * Text, at most 60 words.
 */
text: string,
/**
 * The changed runs; a run that only differs in one lane stands beside that lane, any other replaces all lanes.
 */
forks: Array<Fork>,
/**
 * What is compared.
 */
compare: Compare,
/**
 * What this build gives: the learner's run first, then each fork.
 */
expected: Array<number>,
/**
 * Said when both are known, at most 60 words.
 */
then: string, };
