import { describe, expect, it } from 'vitest';
import type { Edit } from '../sim/types/Edit';
import type { Scenario } from '../sim/types/Scenario';
import { applyChange, asEdits, type Change, keyOf } from './change';
import { effectiveGroups, effectiveTunables } from './effective';

const scenario: Scenario = {
  version: 1,
  name: 'test',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'random' }],
  groups: [
    { name: 'dhry', count: 4, behaviour: { kind: 'dhrystone' } },
    { name: 'sh', count: 2, behaviour: { kind: 'shell' }, nice: 5, workingSetBytes: 4096 },
  ],
  end: { atNs: 1e9 },
};

const at = (edits: [number, Edit][], now: number) =>
  effectiveGroups(
    { ...scenario, edits: edits.map(([atNs, edit]) => ({ atNs, edit })) },
    now,
    () => 16384,
  );

describe('effectiveGroups', () => {
  it('is the scenario as long as nothing was edited', () => {
    expect(at([], 0)).toEqual([
      { count: 4, nice: 0, bytes: 16384, allowed: null },
      { count: 2, nice: 5, bytes: 4096, allowed: null },
    ]);
  });

  it('applies edits in the order of time and not before it', () => {
    const edits: [number, Edit][] = [
      [200, { kind: 'setNice', target: {}, nice: 7 }],
      [100, { kind: 'spawn', group: 'dhry', count: 3 }],
      [300, { kind: 'kill', target: { group: 'dhry' }, count: 5 }],
    ];
    expect(at(edits, 99)[0]?.count).toBe(4);
    expect(at(edits, 100)[0]?.count).toBe(7);
    expect(at(edits, 250).map((g) => g.nice)).toEqual([7, 7]);
    expect(at(edits, 300)[0]?.count).toBe(2);
  });

  it('knows where threads are pinned, and the tunables of a lane', () => {
    const edits: [number, Edit][] = [
      [100, { kind: 'pin', target: { group: 'dhry' }, cpus: [1, 2] }],
      [200, { kind: 'setTunable', lane: 1, id: 'sliceMs', value: 20 }],
      [300, { kind: 'unpin', target: {} }],
    ];
    expect(at(edits, 150).map((g) => g.allowed)).toEqual([[1, 2], null]);
    expect(at(edits, 300).map((g) => g.allowed)).toEqual([null, null]);
    const edited = { ...scenario, edits: edits.map(([atNs, edit]) => ({ atNs, edit })) };
    expect(effectiveTunables(edited, 1, 199)).toEqual({});
    expect(effectiveTunables(edited, 1, 200)).toEqual({ sliceMs: 20 });
    expect(effectiveTunables(edited, 0, 200)).toEqual({});
  });

  it('says so when the threads of a group differ', () => {
    expect(
      at([[1, { kind: 'setNice', target: { thread: 'dhry-2' }, nice: 9 }]], 1)[0]?.nice,
    ).toBeNull();
  });
});

describe('changes', () => {
  it('turns a number of threads into the difference', () => {
    const present = at([], 0);
    const change = (count: number): Change => ({ kind: 'count', group: 0, count });
    expect(asEdits(scenario, change(6), present)).toEqual([
      { kind: 'spawn', group: 'dhry', count: 2 },
    ]);
    expect(asEdits(scenario, change(1), present)).toEqual([
      { kind: 'kill', target: { group: 'dhry' }, count: 3 },
    ]);
    expect(asEdits(scenario, change(4), present)).toEqual([]);
  });

  it('knows what only makes sense from the start', () => {
    for (const change of [
      { kind: 'machine', machine: 'x' },
      { kind: 'seed', seed: 2 },
      { kind: 'addLane', scheduler: { id: 'bfs' } },
      { kind: 'tunable', lane: 0, id: 'hz', value: 100, isDefault: false, isLive: false },
    ] satisfies Change[]) {
      expect(asEdits(scenario, change, at([], 0))).toBeNull();
    }
  });

  it('leaves defaults out, so that going back gives the same scenario', () => {
    const there = applyChange(scenario, { kind: 'nice', group: 0, nice: 3 });
    expect(there.groups[0]?.nice).toBe(3);
    expect(applyChange(there, { kind: 'nice', group: 0, nice: 0 })).toEqual(scenario);
    const tuned = applyChange(scenario, {
      kind: 'tunable',
      lane: 0,
      id: 'rr',
      value: 9,
      isDefault: false,
      isLive: true,
    });
    expect(tuned.schedulers[0]).toEqual({ id: 'bfs', tunables: { rr: 9 } });
    expect(
      applyChange(tuned, {
        kind: 'tunable',
        lane: 0,
        id: 'rr',
        value: 6,
        isDefault: true,
        isLive: true,
      }),
    ).toEqual(scenario);
  });

  it('lets only the same control replace a change that waits', () => {
    const count = (group: number, n: number): Change => ({ kind: 'count', group, count: n });
    expect(keyOf(count(0, 1))).toBe(keyOf(count(0, 9)));
    expect(keyOf(count(0, 1))).not.toBe(keyOf(count(1, 1)));
    expect(keyOf({ kind: 'removeLane', lane: 0 })).not.toBe(keyOf({ kind: 'removeLane', lane: 1 }));
  });
});
