/** Data of lessons for Start: never a result. */
import { newestFirst } from '../../lib/newest';
import type { LessonEntry } from '../../sim/types/LessonEntry';
import type { KeptLesson } from '../../storage/lesson-answers';

/** The fragment that opens a lesson: at the step where it was left, or at its first one. */
export function lessonLink({ number }: LessonEntry, kept: KeptLesson | undefined): string {
  return `l${String(number)}.${String(kept && !kept.isDone ? kept.step : 1)}`;
}

/** The lesson to go on with: the last one that was left, else the first unfinished one, else the first. */
export function firstLesson(
  lessons: readonly LessonEntry[],
  kept: ReadonlyMap<string, KeptLesson>,
): LessonEntry | null {
  const left = lessons
    .filter(({ id }) => kept.get(id)?.isDone === false)
    .sort((a, b) => newestFirst(kept.get(a.id)?.at ?? 0, kept.get(b.id)?.at ?? 0));
  return left[0] ?? lessons.find(({ id }) => !kept.has(id)) ?? lessons[0] ?? null;
}
