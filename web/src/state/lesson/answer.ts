/** The answer line of a lesson: the value of the run, the guess, and the difference. Pure functions. */
import { type Amount, amount, UNKNOWN } from '../../lib/amount';
import type { LessonAnswer } from '../../sim/lesson/protocol';
import type { Future } from '../../sim/types/Future';
import type { Step } from '../../sim/types/Step';
import type { StepView } from '../../sim/types/StepView';
import { numberOf, pairsOf, truthOf } from './marks';
import { differenceOf, valueOf } from './quantity';
import { letterOf } from './say-answer';
import type { Predict } from './steps';

/** A number of the line with the words below it. */
export interface AmountInWords {
  readonly amount: Amount;
  readonly about: string;
}

/** See the module comment. */
export interface LessonLine {
  /** The value of the run; a dash until it may be shown. */
  readonly truth: AmountInWords;
  /** The guess, in pencil; null before the learner chooses one. */
  readonly guess: AmountInWords | null;
  readonly difference: AmountInWords | null;
}

const WAITS: AmountInWords = { amount: UNKNOWN, about: 'your run' };
const YOURS = 'your guess';

function ofNumbers(
  predict: Predict,
  answer: LessonAnswer | null,
  view: StepView | null,
  yours: string,
): LessonLine | null {
  const said = numberOf(predict, answer);
  const truth = truthOf(predict, view);
  const unit = truth?.unit ?? said?.unit;
  if (unit === undefined) return null;
  const guess = said && { amount: valueOf(said.value, said.unit), about: yours };
  if (!truth) return { truth: WAITS, guess, difference: null };
  const by = said && said.unit === unit ? differenceOf(truth.value, said.value, unit) : null;
  return {
    truth: { amount: valueOf(truth.value, unit), about: WAITS.about },
    guess,
    difference: by && { amount: by, about: 'from your guess' },
  };
}

function ofChoice(answer: LessonAnswer | null, view: StepView | null, yours: string): LessonLine {
  const letter = (option: unknown): Amount | null =>
    typeof option === 'number' ? amount(letterOf(option)) : null;
  const [said, found] = [letter(answer), letter(view?.truth ?? null)];
  return {
    truth: found ? { amount: found, about: WAITS.about } : WAITS,
    guess: said && { amount: said, about: yours },
    difference: null,
  };
}

function ofOrder(answer: LessonAnswer | null, view: StepView | null): LessonLine {
  const truth = view?.truth;
  if (typeof answer !== 'object' || answer === null || !Array.isArray(truth))
    return { truth: WAITS, guess: null, difference: null };
  const { all, right } = pairsOf(answer, truth);
  return {
    truth: {
      amount: amount(String(right), `of ${String(all)}`),
      about: 'pairs in the order of your run',
    },
    guess: null,
    difference: null,
  };
}

function ofCurve(predict: Predict, answer: LessonAnswer | null, view: StepView | null): LessonLine {
  const { question } = predict;
  if (question.type !== 'curve') return { truth: WAITS, guess: null, difference: null };
  const { unit } = question.y;
  const last = (values: unknown): number | null =>
    Array.isArray(values) ? (values.at(-1) as number) : null;
  const [said, found] = [last(answer), last(view?.truth)];
  const where = `at ${valueOf(question.at.at(-1) ?? 0, '').number} ${question.x.unit}`.trim();
  return {
    truth: found === null ? WAITS : { amount: valueOf(found, unit), about: `your run ${where}` },
    guess: said === null ? null : { amount: valueOf(said, unit), about: `${YOURS} ${where}` },
    difference:
      said === null || found === null
        ? null
        : { amount: differenceOf(found, said, unit), about: 'from your guess' },
  };
}

/** The line of a question. What is asked after the run has an answer, and no guess. */
export function lineOf(
  predict: Predict,
  answer: LessonAnswer | null,
  view: StepView | null,
  isObserved = false,
): LessonLine {
  const yours = isObserved ? 'your answer' : YOURS;
  switch (predict.question.type) {
    case 'order':
      return ofOrder(answer, view);
    case 'curve':
      return ofCurve(predict, answer, view);
    default:
      return ofNumbers(predict, answer, view, yours) ?? ofChoice(answer, view, yours);
  }
}

/** The line of a change: the learner's run, the changed run, and the difference. */
export function lineOfChange(
  { compare }: Extract<Step, { kind: 'change' }>,
  futures: readonly Future[],
  shown: number,
): {
  readonly own: AmountInWords;
  readonly other: AmountInWords;
  readonly difference: AmountInWords | null;
} | null {
  const [own] = futures;
  const other = futures[shown];
  if (!own || !other) return null;
  const inWords = (value: number | null, about: string): AmountInWords => ({
    amount: valueOf(value, compare.unit),
    about,
  });
  const difference =
    own.value === null || other.value === null
      ? null
      : { amount: differenceOf(other.value, own.value, compare.unit), about: 'by the change' };
  return {
    own: inWords(own.value, 'your run'),
    other: inWords(other.value, other.label),
    difference,
  };
}
