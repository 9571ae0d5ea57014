/**
 * A lesson in a link of its own:
 *
 *     #l1.5                lesson 1, step 5
 *     #l1.2&teach=pn4      with what the teacher chose, see TEACH
 *     #l1.9&a=2.3~3.2431   with a learner's answers, see lesson-answers.ts
 */
import { type AnswersByStep, packAnswers, unpackAnswers } from './lesson-answers';

/** A teacher's choices in a link. They are no protection: anyone can edit the link. */
export interface TeacherOptions {
  /** `p`: predictions may be skipped. */
  readonly maySkip: boolean;
  /** `h`: hides the judgement of answers until the end. */
  readonly hidesFeedback: boolean;
  /** `l`: locks all controls except those of time. */
  readonly isLocked: boolean;
  /** `n` and a number: the step at which the lesson stops, from 1; null: it does not stop. */
  readonly lastStep: number | null;
  /** `s`: gives each learner their own seed, from a number that they type. */
  readonly hasOwnSeed: boolean;
}

export const NO_TEACH: TeacherOptions = {
  maySkip: false,
  hidesFeedback: false,
  isLocked: false,
  lastStep: null,
  hasOwnSeed: false,
};

/** The content of such a link. */
export interface LessonPlace {
  readonly kind: 'lesson';
  /** From 1. */
  readonly number: number;
  /** From 1. */
  readonly step: number;
  readonly teach: TeacherOptions;
  /** The learner's answers; empty where the link has none. */
  readonly answers: AnswersByStep;
}

function readTeach(text: string): TeacherOptions {
  const stop = /n(\d{1,2})/.exec(text)?.[1];
  return {
    maySkip: text.includes('p'),
    hidesFeedback: text.includes('h'),
    isLocked: text.includes('l'),
    lastStep: stop === undefined ? null : Math.max(1, Number(stop)),
    hasOwnSeed: text.includes('s'),
  };
}

function writeTeach(teach: TeacherOptions): string {
  const letters = [
    teach.maySkip ? 'p' : '',
    teach.hidesFeedback ? 'h' : '',
    teach.isLocked ? 'l' : '',
    teach.lastStep === null ? '' : `n${String(teach.lastStep)}`,
    teach.hasOwnSeed ? 's' : '',
  ];
  return letters.join('');
}

/** Reads a fragment; null if it is not a link to a lesson. */
export function readLesson(fragment: string): LessonPlace | null {
  const [, number, step, rest] =
    /^l(\d{1,3})(?:\.(\d{1,2}))?(?:&([^]*))?$/.exec(fragment.replace(/^#/, '')) ?? [];
  if (number === undefined) return null;
  const given = new URLSearchParams(rest ?? '');
  return {
    kind: 'lesson',
    number: Number(number),
    step: Math.max(1, Number(step ?? 1)),
    teach: readTeach(given.get('teach') ?? ''),
    answers: unpackAnswers(given.get('a') ?? ''),
  };
}

/** Writes a fragment, without `#`. */
export function writeLesson({ number, step, teach, answers }: Omit<LessonPlace, 'kind'>): string {
  const parts = [`l${String(number)}.${String(step)}`];
  const letters = writeTeach(teach);
  if (letters !== '') parts.push(`teach=${letters}`);
  // Points, hyphens, underscores and tildes need no escaping in a link.
  if (answers.size > 0) parts.push(`a=${encodeURIComponent(packAnswers(answers))}`);
  return parts.join('&');
}
