import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack } from '../lib/packing';
import { CATALOG } from '../sim/test-catalog';
import type { MachineRef } from '../sim/types/MachineRef';
import type { Scenario } from '../sim/types/Scenario';
import { applyChange, type Change } from './change';
import { readLink, sorted, writeLink } from './url';

const base = CATALOG.scenarios[0]?.scenario as Scenario;

const change = fc.oneof<fc.Arbitrary<Change>[]>(
  fc.record({
    kind: fc.constant('count'),
    group: fc.constant(0),
    count: fc.integer({ min: 1, max: 64 }),
  }),
  fc.record({
    kind: fc.constant('nice'),
    group: fc.constant(null),
    nice: fc.integer({ min: -20, max: 20 }),
  }),
  fc.record({
    kind: fc.constant('workingSet'),
    group: fc.constant(0),
    bytes: fc.integer({ min: 1024, max: 67_108_864 }),
  }),
  fc.record({
    kind: fc.constant('machine'),
    // By name, and written out.
    machine: fc.constantFrom<MachineRef[]>(
      'i7860',
      'i7980x',
      ...CATALOG.machines.map((m) => m.spec),
    ),
  }),
  fc.record({ kind: fc.constant('seed'), seed: fc.nat() }),
  fc.record({
    kind: fc.constant('addLane'),
    scheduler: fc.constantFrom({ id: 'bfs' }, { id: 'bfs', era: '0.512' }, { id: 'random' }),
  }),
  fc.record({ kind: fc.constant('removeLane'), lane: fc.constant(1) }),
  fc.record({
    kind: fc.constant('tunable'),
    lane: fc.constant(0),
    id: fc.constant('hz'),
    value: fc.integer({ min: 100, max: 1000 }),
    isDefault: fc.constant(false),
    isLive: fc.constant(true),
  }),
  fc.record({
    kind: fc.constant('addGroup'),
    group: fc.record({
      name: fc.constantFrom('a', 'ü & = #'),
      count: fc.integer({ min: 1, max: 9 }),
      behaviour: fc.constant({ kind: 'dhrystone' }),
    }),
  }),
);

const scenarios = fc
  .array(change, { maxLength: 2 })
  .map((changes) => changes.reduce(applyChange, base));
const times = fc.integer({ min: 0, max: 600_000_000_000 });

describe('links', () => {
  it('bring back the same scenario and time', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, times, async (scenario, t) => {
        const text = await writeLink({ scenario, baseId: 'bfs-smt', t }, CATALOG);
        const link = await readLink(`#${text}`, CATALOG);
        expect(link.problems).toEqual([]);
        expect(sorted(link.scenario)).toEqual(sorted(scenario));
        expect(link.t).toBe(t);
      }),
      { numRuns: 200 },
    );
  });

  it('bring back live edits', async () => {
    const scenario: Scenario = {
      ...base,
      edits: [{ atNs: 123_456_789, edit: { kind: 'setNice', target: { group: 'dhry' }, nice: 5 } }],
    };
    const link = await readLink(
      await writeLink({ scenario, baseId: 'bfs-smt', t: 2e8 }, CATALOG),
      CATALOG,
    );
    expect(sorted(link.scenario)).toEqual(sorted(scenario));
  });

  it('say the usual things in words that people can read and change', async () => {
    const scenario = [
      { kind: 'count', group: 0, count: 5 },
      { kind: 'nice', group: null, nice: 3 },
      { kind: 'seed', seed: 9 },
    ] satisfies Change[];
    const text = await writeLink(
      { scenario: scenario.reduce<Scenario>(applyChange, base), baseId: 'bfs-smt', t: 1_500_000 },
      CATALOG,
    );
    expect(text).toBe('v=1&x=bfs-smt&k=5&nice=3&seed=9&t=1.5');
  });

  it('hold nothing but the base for an unchanged scenario', async () => {
    expect(await writeLink({ scenario: base, baseId: 'bfs-smt', t: 0 }, CATALOG)).toBe(
      'v=1&x=bfs-smt&t=0',
    );
  });
});

describe('bad links', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['v=2', /v must be 1/],
    ['v=1&k=0', /k must be a whole number from 1 to 64/],
    ['v=1&k=1e9', /k must be/],
    ['v=1&nice=21', /nice must be .* from -20 to 20/],
    ['v=1&seed=99999999999999999', /seed must be/],
    ['v=1&t=-5', /t must be a time/],
    ['v=1&t=NaN', /t must be a time/],
    ['v=1&m=cray', /m must be one of i7860, i7980x/],
    ['v=1&s=bfs,cfs', /s must be one to four of bfs, random/],
    ['v=1&s=bfs,bfs,bfs,bfs,bfs', /s must be one to four/],
    ['v=1&x=nope', /x must be one of bfs-smt/],
    ['v=1&z=AAAA', /z is damaged/],
    ['v=1&z=%00', /z has letters/],
    [`v=1&z=${'A'.repeat(8300)}`, /z is longer than 8 kB/],
    ['x'.repeat(10_000), /longer than 9 kB/],
  ];

  it.each(cases)('%.40s falls back to the default and says why', async (fragment, message) => {
    const link = await readLink(fragment, CATALOG);
    expect(link.problems).toHaveLength(1);
    expect(link.problems[0]).toMatch(message);
    expect(link.scenario).toEqual(base);
  });

  it('keeps what is right beside what is wrong', async () => {
    const link = await readLink('v=1&k=7&nice=99', CATALOG);
    expect(link.scenario.groups[0]?.count).toBe(7);
    expect(link.problems).toHaveLength(1);
  });

  it('takes no keys that a scenario does not have', async () => {
    const text = `{"__proto__":{"polluted":1},"constructor":1,${JSON.stringify(base).slice(1)}`;
    const link = await readLink(`v=1&z=${await pack(text)}`, CATALOG);
    expect(sorted(link.scenario)).toEqual(sorted(base));
    expect(Object.getPrototypeOf(link.scenario)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('never throws, whatever the link says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 300 }), async (text) => {
        const link = await readLink(`v=1&${text}`, CATALOG);
        expect(link.scenario.schedulers.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
