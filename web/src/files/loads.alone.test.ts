/** Texts of any size: parsing and search stay cheap, whatever is wrong with the text. */
import type * as jsonc from 'jsonc-parser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checked, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { Scenario } from '../sim/types/Scenario';
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
  Array.from({ length: n }, (_, i) => ({ atNs: i, ...edit, lane: 0 }));
const nobody = { set: { 'groups.nobody.count': 1 } };
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
    const edits = many(5_000, { set: { 'groups.*.allowed': null } });
    const last = { atNs: 1, ...nobody };
    const text = JSON.stringify(JSON.parse(scenario({ edits: [...edits, last] })), null, 1);
    const { problems } = await readFile(text, check);
    const line = text.slice(0, text.lastIndexOf('"set"')).split('\n').length;
    expect(problems).toEqual([
      { line, path: 'edits[5000].set', message: 'must be one of a, got "nobody"' },
    ]);
  });

  it('is never so deep that the stack overflows', () => {
    const text = scenario({}).replace('"A"', `"A","timing":${nested(100_000)}`);
    expect(() => parseScenario(text)).toThrow(
      `must not be deeper than ${String(MAX_DEPTH)} levels`,
    );
  });
});

const catalog = JSON.parse(realCore.catalog()) as Catalog;

/** A scenario with as much of everything as there may be: 1,024 CPUs, 10,000 threads in 64 groups, 10,000 edits. */
function largest(): Scenario & { machine: MachineSpec } {
  const i7860 = catalog.machines.find(({ spec }) => spec.id === 'i7860')?.spec as MachineSpec;
  const llcs = [{ count: 4, cores: [{ count: 16, smt: 2 }] }];
  const given = {
    name: 'n'.repeat(80),
    notes: 'x'.repeat(4_000),
    machine: {
      ...i7860,
      id: 'largest',
      topology: { ...i7860.topology, packages: [{ count: 4, nodes: [{ count: 2, llcs }] }] },
      memory: { ...i7860.memory, distances: [] },
    },
    schedulers: ['ule', '4bsd', 'cfs', 'bfs'].map((id) => ({ id })),
    groups: Array.from({ length: 64 }, (_, i) => ({
      ...group,
      name: `${'n'.repeat(77)}${String(i).padStart(3, '0')}`,
      count: i < 63 ? 156 : 172,
    })),
    edits: many(10_000, { set: { 'groups.*.nice': 1 } }),
  };
  return JSON.parse(scenario(given)) as Scenario & { machine: MachineSpec };
}

describe('the largest scenario', () => {
  it('is read without problems', async () => {
    expect((await readFile(JSON.stringify(largest()), check)).problems).toEqual([]);
  });

  it.each<readonly [string, (s: ReturnType<typeof largest>) => unknown, RegExp]>([
    ['letter in its name', (s) => (s.name += 'n'), /80/],
    ['letter in its notes', (s) => (s.notes += 'x'), /4,?000/],
    ['lane', (s) => s.schedulers.push({ id: 'bfs', tunables: {} }), /4/],
    [
      'group',
      (s) => s.groups.push({ ...s.groups[0], name: 'one more', count: 0 } as Scenario['groups'][0]),
      /64/,
    ],
    ['thread', (s) => s.groups[0] && (s.groups[0].count += 1), /10,?000/],
    ['edit', (s) => s.edits.push(s.edits[0] as Scenario['edits'][0]), /10,?000/],
    [
      'package of CPUs',
      ({ machine: { topology } }) => topology.packages.push(...topology.packages),
      /1,?024/,
    ],
  ])('with one more %s is refused with the limit', async (_, add, bound) => {
    const more = largest();
    add(more);
    const { problems } = await readFile(JSON.stringify(more), check);
    expect(problems[0]?.message).toMatch(bound);
  });
});
