/** What the page and the worker of a lesson say to each other: one question, one answer, one after the other. */
import type { LessonText } from '../types/LessonText';
import type { Scenario } from '../types/Scenario';
import type { StepView } from '../types/StepView';

/**
 * An answer to a question: the option from 1, a number in the question's unit, items from 1 in the order chosen or values
 * at the handles, a line of text.
 */
export type LessonAnswer = number | string | readonly number[];

/** A lesson over a learner's scenario. */
export interface LessonOf {
  readonly lesson: string;
  readonly language: string;
  readonly scenario: Scenario;
}

/** What can be asked, and what is answered. */
export interface LessonCalls {
  /** The lesson's texts. */
  text: { args: { readonly lesson: string; readonly language: string }; result: LessonText };
  /** From now on steps are about this lesson over this scenario. */
  begin: { args: LessonOf; result: null };
  /** A step, from 1, as the learner's run fills it; without an answer a question tells nothing of the run. */
  step: {
    args: { readonly number: number; readonly answer: LessonAnswer | null };
    result: StepView;
  };
  /** A text that belongs to no step, as the learner's run fills it. */
  fill: { args: { readonly text: string }; result: string };
  /** How the scenario differs from the lesson's, as JSON; empty where the core cannot tell. */
  changes: { args: { readonly lesson: string; readonly scenario: Scenario }; result: string };
  /** The lesson on paper, as HTML; empty where the core cannot write it. */
  worksheet: { args: LessonOf & { readonly isForTeacher: boolean }; result: string };
}

export type LessonCall = keyof LessonCalls;

/** Page → worker. */
export type LessonRequest = {
  [K in LessonCall]: {
    readonly id: number;
    readonly kind: K;
    readonly args: LessonCalls[K]['args'];
  };
}[LessonCall];

/** Worker → page. */
export type LessonReply =
  | { readonly id: number; readonly value: LessonCalls[LessonCall]['result'] }
  /** The core refused, or broke; a broken worker must be thrown away. */
  | { readonly id: number; readonly error: string; readonly isBroken: boolean };
