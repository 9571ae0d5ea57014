/** Texts of any size: parsing and search stay cheap, whatever is wrong with the text. */
import type * as jsonc from 'jsonc-parser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checked } from '../sim/test-core';
import { MAX_DEPTH, parseScenario } from './parse';
import { MAX_FILE, readFile } from './read';

const walks = vi.hoisted(() => ({ visit: 0, parseTree: 0, getLocation: 0 }));
vi.mock('jsonc-parser', async (original) => {
  const real = await original<typeof jsonc>();
  const counted = (name: keyof typeof walks) =>
    ((...args: unknown[]) => {
      walks[name]++;
      return (real[name] as (...args: unknown[]) => unknown)(...args);
    }) as never;
  return {
    ...real,
    visit: counted('visit'),
    parseTree: counted('parseTree'),
    getLocation: counted('getLocation'),
  };
});

/** Ten times what the slowest case takes on a slow machine. */
const HANG_MS = 3_000;

const group = { name: 'a', count: 3, behaviour: { kind: 'dhrystone' } };
const scenario = (change: object) =>
  JSON.stringify({
    version: 1,
    name: 'A',
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [group],
    end: { atNs: 1000 },
    ...change,
  });
const many = (n: number, edit: object) =>
  Array.from({ length: n }, (_, i) => ({ atNs: i, edit, lane: 0 }));
const nobody = { kind: 'spawn', group: 'nobody', count: 1 };
const strange = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x${String(i)}`, i]));
const nested = (n: number) => '['.repeat(n) + ']'.repeat(n);

let checks = 0;
const check = (given: unknown) => {
  checks++;
  return Promise.resolve(checked(given));
};

beforeEach(() => {
  checks = 0;
  Object.assign(walks, { visit: 0, parseTree: 0, getLocation: 0 });
});

const cases: readonly (readonly [string, string, RegExp, RegExp])[] = [
  [
    '10,000 wrong edits',
    scenario({ edits: many(10_000, nobody) }),
    /must be one of a, got "nobody"/,
    /^there are 99\d\d more problems$/,
  ],
  ['3,000 unknown keys', scenario(strange), /no such field/, /^there are 2980 more such fields$/],
  ['4 MB of commas', ','.repeat(MAX_FILE), /not JSON/, /not JSON/],
  ['60 kB of commas in lines', ',\n'.repeat(30_000), /not JSON/, /not JSON/],
  ['5,000 levels', nested(5_000), /more than 100 levels deep/, /levels deep/],
  ['2 million levels', nested(MAX_FILE / 2), /more than 100 levels deep/, /levels deep/],
  [
    '5,000 levels in a field',
    scenario({}).replace('"A"', `"A","timing":${nested(5_000)}`),
    /levels deep/,
    /levels deep/,
  ],
  [
    '5,000 levels behind a mistake',
    `{"a" ${nested(5_000)}}`,
    /a colon is expected/,
    /a colon is expected/,
  ],
  ['4 MB of numbers', `[${'1,'.repeat(MAX_FILE / 2 - 2)}1]`, /must be a scenario/, /scenario/],
];

describe('a file', () => {
  it.each(cases)(
    'with %s is answered by a short list',
    async (_, text, first, last) => {
      const parses = vi.spyOn(JSON, 'parse');
      const { problems } = await readFile(text, check);
      // One for the text, and one for the core's answer in this test.
      expect(parses.mock.calls.filter(([t]) => t === text).length).toBeLessThanOrEqual(1);
      parses.mockRestore();
      expect(problems[0]?.message).toMatch(first);
      expect(problems.at(-1)?.message).toMatch(last);
      expect(problems.length).toBeLessThanOrEqual(21);
      expect(walks.parseTree).toBe(0);
      expect(walks.visit + walks.getLocation).toBeLessThanOrEqual(2);
      expect(checks).toBeLessThanOrEqual(1);
    },
    HANG_MS,
  );

  it('with a mistake in its last line is refused with that line', async () => {
    const edits = many(5_000, { kind: 'unpin', target: {} });
    const last = { atNs: 1, edit: nobody };
    const text = JSON.stringify(JSON.parse(scenario({ edits: [...edits, last] })), null, 1);
    const { problems } = await readFile(text, check);
    const line = text.slice(0, text.indexOf('"nobody"')).split('\n').length;
    expect(problems).toEqual([
      { line, path: 'edits[5000].edit.group', message: 'must be one of a, got "nobody"' },
    ]);
  });

  it('is never so deep that the stack overflows', () => {
    const text = scenario({}).replace('"A"', `"A","timing":${nested(100_000)}`);
    expect(() => parseScenario(text)).toThrow(
      `must not be deeper than ${String(MAX_DEPTH)} levels`,
    );
  });
});
