/** The times that a question names, for the axis of time: its options, the guess, and what the run gives. */
import type { LessonAnswer } from '../../sim/lesson/protocol';
import type { Measured } from '../../sim/types/Measured';
import type { StepView } from '../../sim/types/StepView';
import { type Named, namedIn, nsOf } from './quantity';
import type { Predict } from './steps';

/** A bit of room behind the last mark. */
const ROOM = 1.06;

/** The moment that a value names, in ns: seconds do; shorter times are how long something takes. */
function momentOf(named: Named | null): number | null {
  return named?.unit === 's' ? nsOf(named.value, 's') : null;
}

/** An option that is a time. */
export interface TimeOption {
  /** From 1. */
  readonly number: number;
  readonly ns: number;
}

/** The options of a question that name a time. */
export function timeOptions({ question }: Predict): readonly TimeOption[] {
  if (question.type !== 'choice') return [];
  return question.options.flatMap((option, i) => {
    const ns = momentOf(namedIn(option));
    return ns === null ? [] : [{ number: i + 1, ns }];
  });
}

/** An answer with a value and a unit: a number, or an option that names one; null for all others. */
export function numberOf({ question }: Predict, answer: LessonAnswer | null): Named | null {
  if (typeof answer !== 'number') return null;
  if (question.type === 'number') return { value: answer, unit: question.unit };
  if (question.type !== 'choice') return null;
  return namedIn(question.options[answer - 1] ?? '');
}

/** What the run gives in the unit of the question; null where it is no number. */
export function truthOf(predict: Predict, view: StepView | null): Named | null {
  const { question } = predict;
  if (!view) return null;
  if (question.type === 'number')
    return typeof view.truth === 'number' ? { value: view.truth, unit: question.unit } : null;
  if (question.type !== 'choice') return null;
  // A choice between values is about a value of the run, which the core tells beside the option.
  const option = numberOf(predict, view.truth);
  return (view.measured && inUnit(view.measured, option?.unit ?? '')) ?? option;
}

/** A time in the unit of the options; all else as it is. */
function inUnit(measured: Measured, unit: string): Named {
  const [own, other] = [nsOf(1, measured.unit), nsOf(1, unit)];
  if (own === null || other === null) return measured;
  return { value: (measured.value * own) / other, unit };
}

/** The time of an answer on the axis; null where it is none. */
export function guessNs(predict: Predict, answer: LessonAnswer | null): number | null {
  return momentOf(numberOf(predict, answer));
}

/** The moment that the run gives; null where it is none, or not told. */
export function truthNs(predict: Predict, view: StepView | null): number | null {
  return momentOf(truthOf(predict, view));
}

/** How much time must be seen for all marks of some questions, in ns; null where none is about time. */
export function longestNs(
  predicts: readonly Predict[],
  told: (predict: Predict) => StepView | null,
): number | null {
  const all = predicts.flatMap((predict) => {
    const { question } = predict;
    const most =
      question.type === 'number' ? momentOf({ value: question.max, unit: question.unit }) : null;
    return [
      most,
      truthNs(predict, told(predict)),
      ...timeOptions(predict).map(({ ns }) => ns),
    ].filter((ns) => ns !== null);
  });
  return all.length > 0 ? Math.max(...all) * ROOM : null;
}

/** The question that the answer line is about: at a prediction its own, afterwards the first with a number. */
export function focusOf(predicts: readonly Predict[], step: number): Predict | null {
  const asked = predicts.find(({ number }) => number === step);
  const isNumber = ({ question }: Predict) =>
    question.type === 'number' ||
    (question.type === 'choice' && question.options.some((option) => namedIn(option) !== null));
  return asked ?? predicts.find(isNumber) ?? predicts[0] ?? null;
}

/** How many pairs of an order stand as in another, and how many there are. */
export function pairsOf(
  order: readonly number[],
  truth: readonly number[],
): { readonly right: number; readonly all: number } {
  let right = 0;
  const all = (truth.length * (truth.length - 1)) / 2;
  for (let i = 0; i < truth.length; i++)
    for (let j = i + 1; j < truth.length; j++)
      if (order.indexOf(truth[i] ?? 0) < order.indexOf(truth[j] ?? 0)) right += 1;
  return { right, all };
}
