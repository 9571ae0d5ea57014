/** How the learner's answers leave the page, on request. */
import { addressOf } from '../../browser/address-bar';
import { saveFile } from '../../browser/save-file';
import type { LessonState } from './lesson.svelte';
import { sheetCsv, sheetText } from './sheet';

/** Saves the answers in words, with the link that opens them again. Needs no core. */
export function saveAnswers(lesson: LessonState): void {
  const link = addressOf(lesson.fragmentOf(lesson.step, true));
  saveFile(`${lesson.entry.id}.txt`, new Blob([`${sheetText(lesson)}\n${link}\n`]));
}

/** The table with the digest of the learner's run, so that it can be graded, as text. Rejects if the core cannot compute the digest of the run. */
export async function saveSheet(lesson: LessonState): Promise<string> {
  const { entry, stage } = lesson;
  const [digest, changes] = await Promise.all([
    lesson.digest(),
    lesson.client.call('changes', { lesson: entry.id, scenario: stage.own }, true),
  ]);
  return sheetCsv(lesson, digest, changes);
}
