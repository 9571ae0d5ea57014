/** What lists show of lessons: a file that the build writes, so that only a lesson itself needs the package of lessons. */
import { LESSON_LANGUAGE } from '../../lib/language';
import type { LessonEntry } from '../types/LessonEntry';

/** All lessons in the language of the page, in their order. It is loaded once. */
export async function lessonList(): Promise<readonly LessonEntry[]> {
  const list = await (LESSON_LANGUAGE === 'de'
    ? import('../pkg/lessons-de.json')
    : import('../pkg/lessons-en.json'));
  // The core wrote it; TypeScript takes words of a file for any text.
  return list.default as unknown as readonly LessonEntry[];
}
