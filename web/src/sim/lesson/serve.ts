/**
 * Evaluates lessons in a worker, which loads the package of lessons. That package contains the simulation, so the
 * stage's package is not loaded.
 */
import { messageOf } from '../../lib/assert';
import { breakageOf } from '../broken';
import * as core from '../pkg/lessons_wasm';
import { LessonHost } from './core';
import { provideLessons } from './shelf';
import type { LessonReply, LessonRequest } from './protocol';

/** Answers questions as soon as the core is there. */
export function serveLessons(ready: Promise<core.InitOutput>): void {
  const host = new LessonHost({
    lesson: (id, language) => core.lesson(id, language),
    run: (lesson, language, scenario) => new core.LessonRun(lesson, language, scenario),
    lessonChanges: (id, scenario) => core.lessonChanges(id, scenario),
    worksheet: (lesson, language, scenario, isForTeacher) =>
      core.worksheet(lesson, language, scenario, isForTeacher),
  });
  const texts = provideLessons(ready);
  // A rejection counts only where the texts are awaited.
  texts.catch(() => undefined);
  async function answer(request: LessonRequest): Promise<LessonReply> {
    const { id } = request;
    try {
      await texts;
      return { id, value: host.answer(request) };
    } catch (error) {
      const exports = await ready.catch(() => null);
      const breakage = breakageOf(error, exports?.memory.buffer.byteLength ?? 0);
      return { id, error: breakage?.message ?? messageOf(error), isBroken: breakage !== null };
    }
  }
  self.onmessage = async (event: MessageEvent<LessonRequest>) => {
    self.postMessage(await answer(event.data));
  };
}
