/**
 * The messages between the page and a worker that evaluates expressions over runs, for a lesson or for a measure of the
 * reader's own: one request, one answer, one after the other.
 */
import type { LessonText } from '../types/LessonText';
import type { OwnMeasure } from '../types/OwnMeasure';
import type { OwnValue } from '../types/OwnValue';
import type { Scenario } from '../types/Scenario';
import type { StepView } from '../types/StepView';
import type { Tried } from '../types/Tried';

/** Name of such a worker. */
export const LESSONS = 'lessons';

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

/** An expression over the part of a run up to a time. */
export interface MeasureOf {
  /** With its edits. */
  readonly scenario: Scenario;
  readonly text: string;
  readonly untilNs: number;
  readonly language: string;
}

/** A program in a case, from 0, of an exercise. */
export interface CaseOf {
  readonly exercise: string;
  readonly index: number;
  readonly program: string;
}

/** The requests, and the answer to each. */
export interface LessonCalls {
  /** The lesson's texts. */
  text: { args: { readonly lesson: string; readonly language: string }; result: LessonText };
  /** From now on requests are about this lesson over this scenario. */
  begin: { args: LessonOf; result: null };
  /** A step, from 1, filled in by the learner's run. Without an answer, a question shows nothing of the run. */
  step: {
    args: { readonly number: number; readonly answer: LessonAnswer | null };
    result: StepView;
  };
  /** A text that belongs to no step, filled in by the learner's run. */
  fill: { args: { readonly text: string }; result: string };
  /** The value of an expression that belongs to no step, in the learner's run. */
  value: { args: { readonly expression: string }; result: OwnValue };
  /** How the scenario differs from the lesson's, as JSON; empty if the core cannot say. */
  changes: { args: { readonly lesson: string; readonly scenario: Scenario }; result: string };
  /** The lesson on paper, as HTML; empty where the core cannot write it. */
  worksheet: { args: LessonOf & { readonly isForTeacher: boolean }; result: string };
  /** The values of an expression. The same scenario goes on where it was. */
  measure: { args: MeasureOf; result: OwnMeasure };
  /** Whether a program does what a case asks. */
  tried: { args: CaseOf & { readonly language: string }; result: Tried };
  /** The scenario of a case, with the program as its first lane. */
  caseScenario: { args: CaseOf & { readonly seed: number }; result: Scenario };
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
  /** The core refused, or broke; a broken worker must be replaced. */
  | { readonly id: number; readonly error: string; readonly isBroken: boolean };
