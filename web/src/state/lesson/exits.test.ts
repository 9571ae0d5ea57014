/** The chart of the lanes' last exits: when it may be shown, and what it shows. */
import { describe, expect, it } from 'vitest';
import { must } from '../../lib/assert';
import { LessonHost } from '../../sim/lesson/core';
import { lessonList } from '../../sim/lesson/list';
import type { LessonCall, LessonCalls } from '../../sim/lesson/protocol';
import { lessonCore } from '../../sim/lesson/serve';
// Loads the package.
import '../../sim/test-core';
import { exitsAt, explainsExits, together, revealedExits } from './exits';
import { kindOf, stepsOf } from './steps';

const host = new LessonHost(lessonCore);
let id = 0;
const ask = <K extends LessonCall>(kind: K, args: LessonCalls[K]['args']) =>
  host.answer({ id: (id += 1), kind, args } as never) as LessonCalls[K]['result'];

const LESSON = 'l01-one-too-many';
const text = (language: string) => ask('text', { lesson: LESSON, language }).lesson;

describe('the last exits of all lanes', { timeout: 60_000 }, () => {
  it('are shown from the first step that explains on, and at no step before', () => {
    const lesson = text('en');
    const all = Array.from({ length: stepsOf(lesson) }, (_, i) => i + 1);
    const shown = all.filter((step) => exitsAt(lesson, step).length > 0);
    const explained = all.find((step) => kindOf(lesson, step) === 'explain');
    expect(shown).toEqual(all.filter((step) => step >= must(explained, 'an explanation')));
    expect(all.filter((step) => explainsExits(lesson, step))).toEqual([explained]);
    expect(exitsAt(lesson, must(shown[0], 'a step')).map(({ name }) => name)).toEqual([
      'ULE',
      '4BSD',
      'CFS',
      'BFS',
    ]);
  });

  it.each(['en', 'de'])('are those of the run, the soonest first, in %s', async (language) => {
    const lesson = text(language);
    const entry = (await lessonList()).find((one) => one.id === LESSON);
    const { scenario } = must(entry, 'the lesson');
    ask('begin', { lesson: LESSON, language, scenario });
    const lanes = exitsAt(lesson, 6);
    const told = revealedExits(
      lanes,
      lanes.map((lane) => ask('value', { expression: lane.ask })),
    );
    expect(told.map(({ name }) => name)).toEqual(['4BSD', 'CFS', 'BFS', 'ULE']);
    // The numbers that the text of the lesson tells.
    const said = ask('fill', { text: '{exit(2, last):s}; {exit(1, last):s}' });
    expect([told[0]?.text, told[3]?.text].join('; ')).toBe(said);
    for (const { ns } of told) expect(ns).toBeGreaterThan(10e9);
  });

  it('are not shown before the run has told them', () => {
    expect(revealedExits(exitsAt(text('en'), 6), [])).toEqual([]);
  });
});

it('jobs that end nearly together are a group', () => {
  const exits = [10, 12, 13, 20, 24].map((ns, task) => ({ task, ns }));
  const numbers = together(exits, 4).map((group) => group.map(({ task }) => task));
  expect(numbers).toEqual([[0, 1, 2], [3], [4]]);
  expect(together([], 4)).toEqual([]);
});
