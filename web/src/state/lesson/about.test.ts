/** A guess stands only beside the lane that it was about. */
import { describe, expect, it } from 'vitest';
import { must } from '../../lib/assert';
import { LessonHost } from '../../sim/lesson/core';
import { lessonList } from '../../sim/lesson/list';
import type { LessonCall, LessonCalls } from '../../sim/lesson/protocol';
import { lessonCore } from '../../sim/lesson/serve';
// Loads the package.
import '../../sim/test-core';
import { isAbout, lanesOf } from './about';
import { predictsOf } from './steps';

const host = new LessonHost(lessonCore);
let id = 0;
const ask = <K extends LessonCall>(kind: K, args: LessonCalls[K]['args']) =>
  host.answer({ id: (id += 1), kind, args } as never) as LessonCalls[K]['result'];

describe('an expression of a lesson', () => {
  it.each([
    ['nearest(exit(1, last), [10s, 11.3s])', [0]],
    ['exit(2, last) - exit(1, last)', [1, 0]],
    ['elapsed(3)', [2]],
    ['rank(exit(lane, last))', []],
    ['in(alone, p(turns(4, job), 50))', [3]],
    ['fork(1, moves(4)) - moves(4)', [3]],
  ])('%s asks the lanes %j', (expression, lanes) => {
    expect([...lanesOf(expression)]).toEqual(lanes);
  });

  it('that names no lane is about every lane', () => {
    expect(isAbout('rank(exit(lane, last))', [3])).toBe(true);
  });
});

it('a guess about ULE does not stay under BFS', async () => {
  const { lesson } = ask('text', { lesson: 'l01-one-too-many', language: 'en' });
  const [guess] = predictsOf(lesson);
  const { scenario } = must(
    (await lessonList()).find((one) => one.id === 'l01-one-too-many'),
    'the lesson',
  );
  const about = scenario.schedulers.flatMap((lane, i) =>
    isAbout(must(guess, 'a guess').truth, [i]) ? [lane.id] : [],
  );
  expect(about).toEqual(['ule']);
});

it('every change of a lesson compares lanes that its run has', async () => {
  for (const { id: name, scenario } of await lessonList()) {
    const { lesson } = ask('text', { lesson: name, language: 'en' });
    const compared = lesson.steps.flatMap((step) =>
      step.kind === 'change' ? [...lanesOf(step.compare.value)] : [],
    );
    expect.soft(compared.length, name).toBeGreaterThan(0);
    for (const lane of compared)
      expect.soft(scenario.schedulers[lane], `${name}: ${String(lane)}`).toBeDefined();
  }
});
