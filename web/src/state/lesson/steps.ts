/** The steps of a lesson: their kinds, which are open, and when the run is held. Pure functions. */
import type { Lesson } from '../../sim/types/Lesson';
import type { Question } from '../../sim/types/Question';
import type { Step } from '../../sim/types/Step';

/** Kinds of steps: those of the file, the transfer, and the learner's sheet at the end. */
export type StepKind = Step['kind'] | 'transfer' | 'sheet';

/** Where the answer to the transfer is kept. */
export const TRANSFER_ID = 'transfer';

/** A prediction with its place in the lesson. */
export interface Predict {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  readonly ask: string;
  readonly question: Question;
  /** What the run is asked. */
  readonly truth: string;
}

/** Number of steps, including transfer and sheet. */
export function stepsOf({ steps }: Lesson): number {
  return steps.length + 2;
}

/** The kind of a step, counted from 1. */
export function kindOf({ steps }: Lesson, number: number): StepKind {
  const step = steps[number - 1];
  if (step) return step.kind;
  return number === steps.length + 1 ? 'transfer' : 'sheet';
}

const NAMES: Readonly<Record<StepKind, string>> = {
  situation: 'Situation',
  predict: 'Predict',
  run: 'Run',
  observe: 'Observe',
  explain: 'Explain',
  change: 'Change one thing',
  transfer: 'Elsewhere',
  sheet: 'Your answers',
};

/** The name of a step. */
export function nameOfStep(lesson: Lesson, number: number): string {
  return NAMES[kindOf(lesson, number)];
}

/** What comes after a step: the name of the next one, or that there is more of the same. */
export function nameAfter(lesson: Lesson, number: number): string {
  const isSame = kindOf(lesson, number) === kindOf(lesson, number + 1);
  // @wc-context: more of the same kind of step
  return isSame ? 'More' : nameOfStep(lesson, number + 1);
}

/** The predictions, in their order. */
export function predictsOf({ steps }: Lesson): readonly Predict[] {
  return steps.flatMap((step, i) =>
    step.kind === 'predict'
      ? [{ number: i + 1, id: step.id, ask: step.ask, question: step.answer, truth: step.truth }]
      : [],
  );
}

/** The name under which the answer to a step is kept; null at a step without a question. */
export function questionId(lesson: Lesson, number: number): string | null {
  const step = lesson.steps[number - 1];
  if (step) return step.kind === 'predict' || step.kind === 'observe' ? step.id : null;
  return number === lesson.steps.length + 1 ? TRANSFER_ID : null;
}

/** What the learner has answered. */
type Has = (id: string) => boolean;

/** The first prediction before a step (or at it) that has no answer; null if there is none. */
export function firstOpen(lesson: Lesson, upTo: number, has: Has): Predict | null {
  return predictsOf(lesson).find(({ number, id }) => number <= upTo && !has(id)) ?? null;
}

/** The number of the first step of a kind after a step; null if there is none. */
function nextOf(lesson: Lesson, kind: StepKind, after: number): number | null {
  const at = lesson.steps.findIndex((step, i) => i + 1 > after && step.kind === kind);
  return at < 0 ? null : at + 1;
}

/**
 * Whether time stands still at a step: while a prediction of the same run is open. Once a run has begun, a later
 * prediction holds it only at its own step. One that may be skipped holds nothing after its step.
 */
export function holds(lesson: Lesson, at: number, has: Has, maySkip = false): boolean {
  const open = predictsOf(lesson).find(({ number, id }) => !has(id) && !(maySkip && number < at));
  if (!open) return false;
  if (open.number <= at) return true;
  const run = nextOf(lesson, 'run', 0);
  return run === null || open.number < run || at < run;
}

/**
 * Whether the result of a prediction may be shown at a step: after the runs that follow it, or else after the
 * questions that follow it.
 */
export function isRevealed(lesson: Lesson, predict: number, at: number): boolean {
  const { steps } = lesson;
  const skip = (from: number, kind: StepKind): number => {
    const found = steps.findIndex((step, i) => i + 1 > from && step.kind !== kind);
    return found < 0 ? steps.length + 1 : found + 1;
  };
  const next = skip(predict, 'predict');
  // A run shows nothing before its stop, and the first of two runs in a row shows only a part.
  return at >= (kindOf(lesson, next) === 'run' ? skip(next, 'run') : next);
}

/** The predictions that a step is about: the last block of questions at or before it, in order. */
export function predictsAt(lesson: Lesson, at: number): readonly Predict[] {
  const before = predictsOf(lesson).filter(({ number }) => number <= at);
  const block: Predict[] = [];
  for (const predict of before.reverse()) {
    const next = block[0];
    const isApart =
      next !== undefined &&
      lesson.steps.slice(predict.number, next.number - 1).some(({ kind }) => kind === 'run');
    if (isApart) break;
    block.unshift(predict);
  }
  return block;
}

/** A text with a placeholder for each number of the run, used until the run is known. */
export function withoutNumbers(text: string): string {
  return text.replace(/\{[^{}]*\}/g, '…');
}

/** What a step says before its run is known: its question or its text. */
export function bareText({ steps, transfer }: Lesson, number: number): string {
  const step = steps[number - 1];
  if (!step) return number === steps.length + 1 ? withoutNumbers(transfer.ask) : '';
  return withoutNumbers('ask' in step ? step.ask : step.text);
}
