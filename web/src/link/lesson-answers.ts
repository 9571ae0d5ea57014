/**
 * A learner's answers in a link, so that people can read and change them: `2.3~3.2431~4.1_1.12_2~5.-some%20words`.
 * Each is the number of its step, a point, and the answer: an option or a number, items in order, values at the
 * handles, or words after a hyphen. A minus sign is an `m`.
 */
import type { LessonAnswer } from '../sim/lesson/protocol';

/** Answers by the number of their step, from 1. */
export type AnswersByStep = ReadonlyMap<number, LessonAnswer>;

/** Longest packed answers. */
const MOST_LETTERS = 2000;
/** Longest line that a learner writes, in letters. */
export const MOST_WORDS = 300;
const MOST_VALUES = 9;

function written(answer: LessonAnswer): string {
  if (typeof answer === 'string') return `-${answer.slice(0, MOST_WORDS).replaceAll('~', '-')}`;
  const values = typeof answer === 'number' ? [answer] : answer;
  return values.map((value) => String(value).replace('-', 'm')).join('_');
}

function read(text: string): LessonAnswer | null {
  if (text.startsWith('-')) return text.slice(1, MOST_WORDS + 1);
  const parts = text.split('_');
  if (parts.length > MOST_VALUES || !parts.every((p) => /^m?\d{1,12}(\.\d{1,9})?$/.test(p)))
    return null;
  const values = parts.map((p) => Number(p.replace('m', '-')));
  return values.length > 1 ? values : (values[0] ?? null);
}

/** Packs answers; steps in their order. */
export function packAnswers(answers: AnswersByStep): string {
  return [...answers]
    .sort(([a], [b]) => a - b)
    .map(([step, answer]) => `${String(step)}.${written(answer)}`)
    .join('~');
}

/** Unpacks answers; those that make no sense are left out. */
export function unpackAnswers(text: string): AnswersByStep {
  const answers = new Map<number, LessonAnswer>();
  for (const part of text.slice(0, MOST_LETTERS).split('~')) {
    const [, step, rest] = /^(\d{1,2})\.([^]*)$/.exec(part) ?? [];
    const answer = rest === undefined ? null : read(rest);
    if (step !== undefined && answer !== null) answers.set(Number(step), answer);
  }
  return answers;
}
