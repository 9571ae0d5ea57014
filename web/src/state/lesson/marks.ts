/** The times that a question names, for the axis of time: its options, the guess, and the value of the run. */
import type { LessonAnswer } from '../../sim/lesson/protocol';
import type { Question } from '../../sim/types/Question';
import type { StepView } from '../../sim/types/StepView';
import { type Named, nsOf } from './quantity';
import type { Predict } from './steps';

/** A margin after the last mark. */
const ROOM = 1.06;

/** The moment that a value names, in ns. Only seconds name a moment; shorter units are durations. */
function momentOf(named: Named | null): number | null {
  return named?.unit === 's' ? nsOf(named.value, 's') : null;
}

/** What an option names, from 1; null if it names nothing. */
function namedBy(question: Question, option: number): Named | null {
  if (question.type !== 'choice') return null;
  const value = question.values?.[option - 1] ?? null;
  return value === null ? null : { value, unit: question.unit ?? '' };
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
  return question.options.flatMap((_, i) => {
    const ns = momentOf(namedBy(question, i + 1));
    return ns === null ? [] : [{ number: i + 1, ns }];
  });
}

/** An answer with a value and a unit: a number, or an option that names one; null for all others. */
export function numberOf({ question }: Predict, answer: LessonAnswer | null): Named | null {
  if (typeof answer !== 'number') return null;
  if (question.type === 'number') return { value: answer, unit: question.unit };
  return namedBy(question, answer);
}

/** The value of the run in the unit of the question; null if it is not a number. */
export function truthOf(predict: Predict, view: StepView | null): Named | null {
  const { question } = predict;
  if (!view) return null;
  if (question.type === 'number')
    return typeof view.truth === 'number' ? { value: view.truth, unit: question.unit } : null;
  if (question.type !== 'choice') return null;
  // For a choice between values, the core gives the run's value beside the option.
  return view.measured ?? numberOf(predict, view.truth);
}

/** The time of an answer on the axis; null if it is not a time. */
export function guessNs(predict: Predict, answer: LessonAnswer | null): number | null {
  return momentOf(numberOf(predict, answer));
}

/** The moment that the run gives; null if it is not a time, or not shown yet. */
export function truthNs(predict: Predict, view: StepView | null): number | null {
  return momentOf(truthOf(predict, view));
}

/** Length of time that shows all marks of some questions, in ns; null if none is about time. */
export function longestNs(
  predicts: readonly Predict[],
  revealed: (predict: Predict) => StepView | null,
): number | null {
  const all = predicts.flatMap((predict) => {
    const { question } = predict;
    const most =
      question.type === 'number' ? momentOf({ value: question.max, unit: question.unit }) : null;
    return [
      most,
      truthNs(predict, revealed(predict)),
      ...timeOptions(predict).map(({ ns }) => ns),
    ].filter((ns) => ns !== null);
  });
  return all.length > 0 ? Math.max(...all) * ROOM : null;
}

/** Length of time that shows the run's own values, in ns; null if none of them is a moment, or not known yet. */
export function lastNs(
  predicts: readonly Predict[],
  revealed: (predict: Predict) => StepView | null,
): number | null {
  const all = predicts.flatMap((predict) => truthNs(predict, revealed(predict)) ?? []);
  return all.length > 0 ? Math.max(...all) * ROOM : null;
}

/** The question of the answer line: at a prediction that one, afterwards the first question with a number. */
export function focusOf(predicts: readonly Predict[], step: number): Predict | null {
  const asked = predicts.find(({ number }) => number === step);
  const isNumber = ({ question }: Predict) =>
    question.type === 'number' ||
    (question.type === 'choice' && (question.values ?? []).some((value) => value !== null));
  return asked ?? predicts.find(isNumber) ?? predicts[0] ?? null;
}

/** The number of pairs that two orders agree on, and the number of all pairs. */
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
