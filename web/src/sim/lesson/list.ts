/** The data that lists of lessons show: a file that the build writes, so that they are there before the core. */
import { LESSON_LANGUAGE } from '../../lib/language';
import type { ExerciseEntry } from '../types/ExerciseEntry';
import type { LessonEntry } from '../types/LessonEntry';

/** All lessons in the language of the page, in order. The file is loaded once. */
export async function lessonList(): Promise<readonly LessonEntry[]> {
  const list = await (LESSON_LANGUAGE === 'de'
    ? import('../pkg/lessons-de.json')
    : import('../pkg/lessons-en.json'));
  // The core wrote it; TypeScript cannot know which texts in a file are ids.
  return list.default as unknown as readonly LessonEntry[];
}

/** All exercises for own policies in the language of the page, in order. */
export async function exerciseList(): Promise<readonly ExerciseEntry[]> {
  const list = await (LESSON_LANGUAGE === 'de'
    ? import('../pkg/exercises-de.json')
    : import('../pkg/exercises-en.json'));
  return list.default as unknown as readonly ExerciseEntry[];
}
