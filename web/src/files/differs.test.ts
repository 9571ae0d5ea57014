import { describe, expect, it } from 'vitest';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { differsFrom } from './differs';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 'bfs-smt')?.scenario as Scenario;
const [first, ...others] = base.groups as [Scenario['groups'][number]];
const told = (change: Partial<Scenario>) => differsFrom({ ...base, ...change }, base, catalog);

describe('what differs', () => {
  it('is empty where nothing differs', () => {
    expect(told({})).toEqual([]);
    expect(differsFrom(structuredClone(base), base, catalog)).toEqual([]);
  });

  it('is told in words', () => {
    const { name } = catalog.machines.find(({ spec }) => spec.id === 'v890')?.spec ?? {};
    expect(told({ machine: 'v890', seed: 5, end: { ...base.end, atNs: 2_000_000_000 } })).toEqual([
      'seed 5 (was 1)',
      expect.stringMatching(new RegExp(`^machine ${name ?? ''} \\(was `)),
      'end 2 s (was 65 s)',
    ]);
    const changed = { ...first, count: 7, nice: -5, sliceNs: 2_800_000 };
    expect(told({ groups: [changed, ...others] })).toEqual([
      'dhry: 7 threads (was 4), nice −5 (was 0), slice 2.8 ms (was none of its own)',
    ]);
    expect(told({ groups: [{ ...first, name: 'x', count: 5 }, ...others] })).toEqual([
      `without ${first.name}`,
      'x added',
    ]);
    const [bfs] = base.schedulers;
    const hz = bfs && { ...bfs, tunables: { hz: 250 } };
    expect(
      told({ schedulers: [hz ?? { id: '', tunables: {} }, ...base.schedulers.slice(1)] }),
    ).toEqual(['BFS 0.318: HZ 250 Hz (was 1 000 Hz)']);
    expect(told({ schedulers: [{ id: 'ule', tunables: {} }] })).toEqual([
      expect.stringMatching(/^schedulers ULE \(was BFS 0.318, /),
    ]);
    const edit = { set: { 'groups.a.count': 0 } };
    expect(told({ edits: [{ atNs: 1, ...edit }] })).toEqual(['all of a ended at 0.000 ms']);
    for (const [made, words] of [
      [{ set: { 'threads.a-2.paused': true } }, 'a-2 stopped'],
      [{ set: { 'threads.a-2.paused': false } }, 'a-2 let go on'],
      [{ copy: 'a-2' }, 'one more like a-2'],
    ] as const)
      expect(told({ edits: [{ atNs: 5_000_000, ...made }] })).toEqual([`${words} at 5.000 ms`]);
    const was = {
      ...base,
      edits: [
        { atNs: 1, ...edit },
        { atNs: 2, copy: 'a-2' },
      ],
    };
    const now = { ...base, edits: [{ atNs: 1, set: { 'groups.a.count': 5 } }] };
    expect(differsFrom(now, was, catalog)).toEqual([
      '5 threads of a at 0.000 ms (was all of a ended)',
      'without one more like a-2 at 0.000 ms',
    ]);
    // A slider that is moved on at one instant: the last value alone.
    const steps = [5, 6].map((count) => ({ atNs: 7_000_000, set: { 'groups.a.count': count } }));
    expect(told({ edits: steps })).toEqual(['6 threads of a at 7.000 ms']);
    const relative = ['+1', '+2'].map((count) => ({ atNs: 1, set: { 'groups.a.count': count } }));
    expect(told({ edits: relative })).toHaveLength(2);
    const many = Array.from({ length: 3 }, (_, i) => ({ atNs: i, ...edit }));
    expect(told({ edits: many })).toEqual(['3 edits (was 0)']);
  });

  it('tells other schedulers in several lanes once', () => {
    const lane = (id: string) => ({ id, tunables: {} });
    const [said = '', ...more] = told({ schedulers: [lane('ule'), lane('cfs')] });
    expect(more).toEqual([]);
    expect(said.match(/schedulers /g)).toHaveLength(1);
  });

  it('says the default of a number of threads that was not set', () => {
    const rows = catalog.properties.map((row) => {
      const isSlice = row.path === 'groups.*.sliceNs';
      const kind = { type: 'integer', bound: { field: '', min: 1, max: 9, unit: 'threads' } };
      return isSlice ? { ...row, kind, label: 'together', default: '1' } : row;
    });
    const groups = [{ ...first, sliceNs: 3 }, ...others];
    const made = { ...catalog, properties: rows } as Catalog;
    expect(differsFrom({ ...base, groups }, base, made)).toEqual([
      'dhry: together 3 threads (was 1)',
    ]);
  });

  it('leaves no part out', () => {
    const others: Scenario = {
      ...base,
      version: 1,
      name: 'n',
      notes: 'n',
      ask: 'a?',
      seed: 9,
      machine: 'x',
      schedulers: [{ id: 'bfs', tunables: { x: 1 } }],
      groups: [{ ...first, startNs: 4 }],
      background: {},
      timing: { tickPhase: 'aligned', idleTicks: 'periodic' } as unknown as NonNullable<
        Scenario['timing']
      >,
      edits: [{ atNs: 1, set: { [`groups.${first.name}.count`]: 0 } }] as Scenario['edits'],
      end: { ...base.end, atNs: 1 },
      opening: { speed: 1_000 },
      answer: { measure: 'moves' },
      controls: [{ kind: 'start' }],
      moments: ['exit'],
      thumb: 'queue',
    };
    for (const key of Object.keys(others) as (keyof Scenario)[])
      expect(told({ [key]: others[key] }), key).not.toEqual([]);
  });
});
