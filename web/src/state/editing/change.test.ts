import { describe, expect, it } from 'vitest';
import { specOf } from '../../sim/property/set';
import { normal, realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import { applyChange, asEdit, type Change, keyOf, toSet, toSetGroup } from './change';

const catalog = JSON.parse(realCore.catalog()) as Catalog;

const scenario = normal({
  version: 1,
  name: 'test',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'random' }],
  groups: [
    { name: 'dhry', count: 4, behaviour: { kind: 'dhrystone' } },
    { name: 'sh', count: 2, behaviour: { kind: 'shell' }, nice: 5, workingSetBytes: 4096 },
  ],
  end: { atNs: 1e9 },
});

const RR = ['lanes', '1', 'rrIntervalMs'];
const edit = (change: Change) => asEdit(scenario, change, catalog);
const after = (s: Scenario, ...changes: Change[]) =>
  changes.reduce<Scenario>((now, change) => normal(applyChange(now, change, catalog)), s);
const of = (thread: string, field: string, to?: unknown) => toSet(['threads', thread, field], to);

describe('changes', () => {
  it('of a live run are edits', () => {
    expect(edit(toSetGroup(scenario, 0, 'count', 6))).toEqual({ set: { 'groups.dhry.count': 6 } });
    expect(edit(toSetGroup(scenario, null, 'nice', 3))).toEqual({ set: { 'groups.*.nice': 3 } });
    expect(edit(toSetGroup(scenario, 1, 'allowed'))).toEqual({
      set: { 'groups.sh.allowed': null },
    });
    expect(edit(of('sh-1', 'sliceNs', 0))).toEqual({ set: { 'threads.sh-1.sliceNs': 0 } });
    expect(edit(toSet(RR, 9))).toEqual({ set: { 'lanes.1.rrIntervalMs': 9 } });
    expect(edit({ copy: 'dhry-2' })).toEqual({ copy: 'dhry-2' });
  });

  it('knows which changes only make sense from the start', () => {
    for (const change of [
      toSet(['machine'], 'x'),
      toSet(['seed'], 2),
      toSet(['lanes', '3'], { id: 'bfs' }),
      toSet(['lanes', '1', 'hz'], 100),
      toSet(['groups', 'sh', 'behaviour', 'stop'], 1),
    ])
      expect(edit(change)).toBeNull();
  });

  it('going back gives the same scenario', () => {
    for (const [there, back] of [
      [toSetGroup(scenario, 0, 'nice', 3), toSetGroup(scenario, 0, 'nice', 0)],
      [toSetGroup(scenario, 1, 'sliceNs', 500_000), toSetGroup(scenario, 1, 'sliceNs', 0)],
      [toSetGroup(scenario, 1, 'allowed', [1]), toSetGroup(scenario, 1, 'allowed')],
      [toSet(RR, 9), toSet(RR, specOf(RR, scenario, catalog)?.kind.default)],
      [toSet(['lanes', '3'], { id: 'ule' }), toSet(['lanes', '3'])],
    ] as const) {
      const changed = after(scenario, there);
      expect(changed).not.toEqual(scenario);
      expect(after(changed, back)).toEqual(scenario);
    }
  });

  it('lets only the same control replace a change that waits', () => {
    const count = (group: number, n: number) => keyOf(toSetGroup(scenario, group, 'count', n));
    expect(count(0, 1)).toBe(count(0, 9));
    expect(count(0, 1)).not.toBe(count(1, 1));
  });

  it('of one thread at the start: the last one counts', () => {
    const first = { ...scenario, edits: [{ atNs: 5, set: { 'groups.*.allowed': null } }] };
    const nice = (thread: string, to: number) => of(thread, 'nice', to);
    const pause = of('sh-1', 'paused', true);
    const { edits } = after(first, nice('sh-1', 5), pause, nice('sh-2', 1), nice('sh-1', 3));
    expect(edits.map(({ atNs, set }) => [atNs, set])).toEqual([
      [0, { 'threads.sh-1.paused': true }],
      [0, { 'threads.sh-2.nice': 1 }],
      [0, { 'threads.sh-1.nice': 3 }],
      [5, { 'groups.*.allowed': null }],
    ]);
    const copy = { copy: 'sh-1' };
    expect(after(first, copy, copy).edits).toHaveLength(3);
  });

  it('may leave out fields that the core fills in', () => {
    const group = { name: 'more', count: 1, behaviour: { kind: 'compute' } };
    const { groups } = after(scenario, toSet(['groups', 'more'], group));
    expect(groups[2]).toMatchObject({ nice: 0, policy: 'normal', startNs: 0 });
    const background = { daemons: {}, kernelThreads: {} };
    expect(after(scenario, toSet(['background'], background)).background?.daemons?.count).toBe(10);
  });
});
