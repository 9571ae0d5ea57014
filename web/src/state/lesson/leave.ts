/** The learner's table, made when they ask for it: with the digest of their own run, so that it can be graded. */
import type { LessonState } from './lesson.svelte';
import { sheetCsv } from './sheet';

/** The table as text. Rejects where the core cannot tell what the run is. */
export async function saveSheet(lesson: LessonState): Promise<string> {
  const { entry, stage } = lesson;
  const [digest, changes] = await Promise.all([
    lesson.digest(),
    lesson.client.call('changes', { lesson: entry.id, scenario: stage.own }, true),
  ]);
  return sheetCsv(lesson, digest, changes);
}
