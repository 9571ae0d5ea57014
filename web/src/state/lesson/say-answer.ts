/** Answers in words, for the column, the sheet and copies. */
import type { LessonAnswer } from '../../sim/lesson/protocol';
import type { Lesson } from '../../sim/types/Lesson';
import type { Question } from '../../sim/types/Question';
import type { Predict } from './steps';
import { textOf } from '../../lib/amount';
import { valueOf } from './quantity';

/** The letter of an option, from 1. */
export function letterOf(option: number): string {
  return String.fromCharCode(64 + option);
}

/** An answer to a question as people say it; empty if there is none. */
export function sayAnswer(question: Question | null, answer: LessonAnswer | null): string {
  if (answer === null) return '';
  if (typeof answer === 'string' || !question) return String(answer);
  switch (question.type) {
    case 'choice':
      return typeof answer === 'number' ? (question.options[answer - 1] ?? '') : '';
    case 'number':
      return typeof answer === 'number' ? textOf(valueOf(answer, question.unit)) : '';
    case 'order':
      return typeof answer === 'number'
        ? ''
        : answer.map((item) => question.items[item - 1] ?? '').join(', ');
    case 'curve':
      return typeof answer === 'number'
        ? ''
        : answer.map((value) => textOf(valueOf(value, question.y.unit))).join(', ');
  }
}

/** The question of a step that the learner can answer; null for a step without a question or with free text. */
export function questionOf({ steps }: Lesson, number: number): Question | null {
  const step = steps[number - 1];
  if (step?.kind === 'predict') return step.answer;
  if (step?.kind === 'observe' && step.options.length > 0)
    return { type: 'choice', options: step.options };
  return null;
}

/** What a step after the run asks with options, as a question with its place; null for all other steps. */
export function observedAt(lesson: Lesson, number: number): Predict | null {
  const step = lesson.steps[number - 1];
  const question = questionOf(lesson, number);
  if (step?.kind !== 'observe' || !question) return null;
  return { number, id: step.id, ask: step.ask, question, truth: step.truth ?? '' };
}
