import { describe, expect, it } from 'vitest';
import { checked } from '../sim/test-core';
import { readFile } from './read';
import { fileStem } from './save';

const check = (scenario: unknown) => Promise.resolve(checked(scenario));

const FILE = `{
  "version": 1,
  "name": "A",
  "machine": "i7860",
  "schedulers": [{ "id": "bfs" }],
  "groups": [
    {
      "name": "a",
      "count": 3,
      "behaviour": { "kind": "dhrystone" }
    }
  ],
  "end": { "atNs": 1000 }
}`;

describe('a file', () => {
  it('without problems is a scenario', async () => {
    const { scenario, problems } = await readFile(FILE, check);
    expect(problems).toEqual([]);
    // As the core reads it.
    expect(scenario).toMatchObject({ seed: 1, groups: [{ count: 3, nice: 0 }], edits: [] });
  });

  const cases: readonly (readonly [string, string, string, number | null, string, RegExp])[] = [
    ['a number out of range', '3,', '70000,', 9, 'groups[0].count', /from 0 to 5000 threads/],
    ['a number of no integer', '3,', '3.5,', 9, 'groups[0].count', /floating point/],
    ['a text for a number', '3,', '"3",', 9, 'groups[0].count', /invalid type/],
    ['a field that is none', '"count"', '"size": 1, "count"', 9, 'groups[0].size', /unknown field/],
    ['a key that is none', '"version"', '"colour": 1, "version"', 2, 'colour', /no such field/],
    ['a field missing', '"count": 3,', '', 7, 'groups[0]', /missing field `count`/],
    ['an unknown scheduler', '"bfs"', '"none"', 5, 'schedulers[0].id', /must be one of/],
    ['a forgotten comma', '"A",', '"A"', 4, '', /not JSON: a comma is expected/],
    ['no end of it', '}\n  ],', '', 12, '', /not JSON/],
    ['no threads', '"groups"', '"troops"', 6, 'troops', /there is no such field/],
    ['no end', '"end": { "atNs": 1000 }', '"seed": 1', null, '', /missing field `end`/],
  ];

  it.each(cases)(
    'with %s is refused by line and field',
    async (_, from, to, line, path, message) => {
      const { problems } = await readFile(FILE.replace(from, to), check);
      expect(problems[0]?.message).toMatch(message);
      expect(problems[0]).toMatchObject({ line, path });
    },
  );

  const foreign: readonly (readonly [string, string, RegExp])[] = [
    [
      'a workload of rt-app',
      '{ "tasks": { "t": { "loop": -1, "run": 10000 } }, "global": { "duration": 2 } }',
      /^This is a workload of rt-app\. Timeslice opens scenarios/,
    ],
    ['a trace of Chrome', '{ "traceEvents": [] }', /^This is a trace for chrome/],
    ['other JSON', '{ "name": "x", "version": 2 }', /^This is JSON, but no scenario/],
    [
      'a trace of ftrace',
      '# tracer: nop\n#\n bash-1 [000] 1.0: sched_switch: prev_comm=a',
      /^This is a trace of ftrace/,
    ],
    [
      'text of perf',
      ' swapper 0 [001] 5.1: sched_switch: prev_comm=swapper/1',
      /^This is a trace of a sched/,
    ],
    ['a recording of perf', 'PERFILE2\u0000\u0001', /^This is a recording of perf/],
    ['something binary', 'PK\u0003\u0004\u0000\u0000', /^This is a binary file/],
    ['a picture', '<svg></svg>', /^This is a page or a picture/],
  ];

  it.each(foreign)('of another program is named and never mended: %s', async (_, text, says) => {
    const { given, problems, scenario } = await readFile(text, check);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
    expect([given, scenario]).toEqual([null, null]);
  });

  it('that is too long is not read', async () => {
    const { problems } = await readFile(' '.repeat(5 << 20), check);
    expect(problems[0]?.message).toBe('The file is longer than 4 MB.');
  });

  it('is named after its scenario, whatever its name', () => {
    expect(fileStem('Four jobs: BFS, ideal & random')).toBe('four-jobs-bfs-ideal-random');
    expect(fileStem('../../etc/passwd')).toBe('etc-passwd');
    expect(fileStem('ü')).toBe('scenario');
  });
});
