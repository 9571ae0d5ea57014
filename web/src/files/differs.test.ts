import { describe, expect, it } from 'vitest';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { differsFrom } from './differs';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 'bfs-smt')?.scenario as Scenario;
const [first, ...others] = base.groups as [Scenario['groups'][number]];
const names = { machine: (id: string) => `M ${id}`, scheduler: (id: string) => id.toUpperCase() };
const told = (change: Partial<Scenario>) => differsFrom({ ...base, ...change }, base, names);

describe('what differs', () => {
  it('is empty where nothing differs', () => {
    expect(told({})).toEqual([]);
    expect(differsFrom(structuredClone(base), base, names)).toEqual([]);
  });

  it('is told in words', () => {
    expect(told({ machine: 'other', seed: 5, end: { ...base.end, atNs: 2_000_000_000 } })).toEqual([
      'seed 5',
      'machine M other',
      'ends at 2.00 s',
    ]);
    const changed = { ...first, count: 7, nice: -5 };
    expect(told({ groups: [changed, ...others] })).toEqual([
      `${first.name}: 7 threads instead of ${String(first.count)}, nice −5`,
    ]);
    expect(told({ groups: [{ ...first, name: 'x' }, ...others] })).toEqual([
      'x added',
      `without ${first.name}`,
    ]);
    expect(told({ schedulers: [{ id: 'ule', tunables: {} }] })).toEqual(['ULE']);
    const edit = { kind: 'kill' as const, target: { group: 'a' } };
    expect(told({ edits: [{ atNs: 1, edit }] as Scenario['edits'] & object })).toEqual([
      'all of a ended at 0.000 ms',
    ]);
    const target = { thread: 'a-2' };
    for (const [made, words] of [
      [{ kind: 'pause', target }, 'a-2 stopped'],
      [{ kind: 'resume', target }, 'a-2 let go on'],
      [{ kind: 'copy', thread: 'a-2' }, 'one more like a-2'],
    ] as const)
      expect(told({ edits: [{ atNs: 5_000_000, edit: made }] })).toEqual([`${words} at 5.000 ms`]);
    const many = Array.from({ length: 3 }, (_, i) => ({ atNs: i, edit }));
    expect(told({ edits: many as Scenario['edits'] & object })).toEqual(['3 edits']);
  });

  it('leaves no part out', () => {
    const others: Scenario = {
      ...base,
      version: 2,
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
      edits: [
        { atNs: 1, edit: { kind: 'kill', target: { group: first.name } } },
      ] as Scenario['edits'],
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
