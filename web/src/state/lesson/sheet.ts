/** The learner's sheet: every question with the guess and the value of the run, and the forms for export. */
import { csv } from '../../lib/csv';
import type { StepView } from '../../sim/types/StepView';
import type { LessonState } from './lesson.svelte';
import { questionOf, sayAnswer } from './say-answer';
import { questionId, stepsOf, TRANSFER_ID } from './steps';

/** A question with its guess and result. */
export interface SheetRow {
  /** From 1. */
  readonly step: number;
  readonly id: string;
  readonly ask: string;
  /** In words; empty if there is none. */
  readonly answer: string;
  readonly truth: string;
  readonly right: boolean | null;
  readonly seconds: number;
  readonly say: string;
}

/** Version of the lessons' format, which the table contains. */
export const LESSON_VERSION = 1;

/** The columns of the exported table. */
const COLUMNS = [
  'lesson',
  'version',
  'step',
  'question',
  'answer',
  'truth',
  'right',
  'seconds',
  'digest',
  'seed',
  'changes',
] as const;

/** All questions, in their order. */
export function sheetOf(lesson: LessonState): readonly SheetRow[] {
  const numbers = Array.from({ length: stepsOf(lesson.lesson) - 1 }, (_, i) => i + 1);
  return numbers.flatMap((step) => {
    const id = questionId(lesson.lesson, step);
    if (id === null) return [];
    const question = questionOf(lesson.lesson, step);
    const view: StepView | null = lesson.viewAt(step);
    const said = lesson.answerAt(step);
    return [
      {
        step,
        id,
        ask: lesson.wordsAt(step),
        answer: sayAnswer(question, said),
        truth: said === null ? '' : sayAnswer(question, view?.truth ?? null),
        right: view?.right ?? null,
        seconds: lesson.answers.get(id)?.seconds ?? 0,
        say: view?.say ?? '',
      },
    ];
  });
}

/** The sheet as plain text. */
export function sheetText(lesson: LessonState): string {
  const head = `Lesson ${String(lesson.entry.number)}: ${lesson.entry.title}`;
  const rows = sheetOf(lesson).map(({ ask, answer, truth, say }) =>
    [
      ask,
      `  my answer: ${answer === '' ? '–' : answer}`,
      ...(truth === '' ? [] : [`  my run: ${truth}`]),
      ...(say === '' ? [] : [`  ${say}`]),
    ].join('\n'),
  );
  return `${[head, ...rows].join('\n\n')}\n`;
}

/** An answer in the form of the table: a plain value; several are joined by a semicolon. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(';') : String(value);
}

/** The sheet as a table that the command line grades. `digest`: digests of the lanes at their end; `changes`: as JSON. */
export function sheetCsv(lesson: LessonState, digest: string, changes: string): string {
  // The last question is not graded; it is only in the text.
  const asked = sheetOf(lesson).filter(({ id }) => id !== TRANSFER_ID);
  const rows = asked.map(({ step, id, right, seconds }) => [
    lesson.entry.id,
    LESSON_VERSION,
    step,
    id,
    plain(lesson.answerAt(step)),
    plain(lesson.viewAt(step)?.truth),
    right === null ? '' : String(right),
    seconds,
    digest,
    lesson.stage.own.seed,
    changes,
  ]);
  return csv([[...COLUMNS], ...rows]);
}
