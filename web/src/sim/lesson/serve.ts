/** Evaluates lessons in a worker. */
import { messageOf } from '../../lib/assert';
import { breakageOf } from '../broken';
import * as core from '../pkg/sim_wasm';
import { type LessonCore, LessonHost } from './core';
import type { LessonReply, LessonRequest } from './protocol';

/** The functions of the package. */
export const lessonCore: LessonCore = {
  lesson: (id, language) => core.lesson(id, language),
  run: (lesson, language, scenario) => new core.LessonRun(lesson, language, scenario),
  measure: (scenario) => new core.MeasureRun(scenario),
  exerciseCase: (exercise, index, program, language) =>
    core.exerciseCase(exercise, index, program, language),
  exerciseScenario: (exercise, index, program, seed) =>
    core.exerciseScenario(exercise, index, program, seed),
  lessonChanges: (id, scenario) => core.lessonChanges(id, scenario),
  worksheet: (lesson, language, scenario, isForTeacher) =>
    core.worksheet(lesson, language, scenario, isForTeacher),
};

/** Answers questions as soon as the core is there. */
export function serveLessons(ready: Promise<core.InitOutput>): void {
  const host = new LessonHost(lessonCore);
  async function answer(request: LessonRequest): Promise<LessonReply> {
    const { id } = request;
    try {
      await ready;
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
