/** The learner's table, made on request: with the digest of their run, so that it can be graded. */
import type { LessonState } from './lesson.svelte';
import { sheetCsv } from './sheet';

/** The table as text. Rejects if the core cannot compute the digest of the run. */
export async function saveSheet(lesson: LessonState): Promise<string> {
  const { entry, stage } = lesson;
  const [digest, changes] = await Promise.all([
    lesson.digest(),
    lesson.client.call('changes', { lesson: entry.id, scenario: stage.own }, true),
  ]);
  return sheetCsv(lesson, digest, changes);
}
