/** Lessons as this device keeps them: answers and the learner's step, one small object in `localStorage`. */
import type { LessonAnswer } from '../sim/lesson/protocol';

const KEY = 'timeslice.lessons';
/** More than any lesson has. */
const MOST_STEPS = 99;

/** An answer that was kept. */
export interface KeptAnswer {
  readonly value: LessonAnswer;
  /** How long the question was open, in seconds. */
  readonly seconds: number;
}

/** The kept data of one lesson. */
export interface KeptLesson {
  /** By the question's name. */
  readonly answers: Readonly<Record<string, KeptAnswer>>;
  /** The step that was open last, from 1. */
  readonly step: number;
  /** Whether its end was reached. */
  readonly isDone: boolean;
  /** When it was open last, in ms since 1970. */
  readonly at: number;
}

function isAnswer(value: unknown): value is LessonAnswer {
  if (Array.isArray(value)) return value.length <= 9 && value.every((v) => Number.isFinite(v));
  return Number.isFinite(value) || (typeof value === 'string' && value.length <= 300);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function readLesson(value: unknown): KeptLesson {
  const { answers, step, isDone, at } = fieldsOf(value);
  const good = Object.entries(fieldsOf(answers)).flatMap(([id, answer]) => {
    const { value: said, seconds } = fieldsOf(answer);
    return isAnswer(said) ? [[id, { value: said, seconds: number(seconds) }] as const] : [];
  });
  const last = Math.min(MOST_STEPS, Math.max(1, Math.round(number(step))));
  return { answers: Object.fromEntries(good), step: last, isDone: isDone === true, at: number(at) };
}

/** All kept lessons by id; empty if there are none, or where the browser refuses. */
export function keptLessons(): ReadonlyMap<string, KeptLesson> {
  try {
    const all = fieldsOf(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
    return new Map(Object.entries(all).map(([id, value]) => [id, readLesson(value)]));
  } catch {
    return new Map();
  }
}

/** Keeps one lesson beside the others; null: forgets it. Throws where the browser refuses, and then changes nothing. */
export function keepLesson(id: string, lesson: KeptLesson | null): void {
  const all = new Map(keptLessons());
  if (lesson) all.set(id, lesson);
  else all.delete(id);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)));
}
