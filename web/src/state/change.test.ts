import { describe, expect, it } from 'vitest';
import { normal } from '../sim/test-core';
import type { Scenario } from '../sim/types/Scenario';
import { applyChange, asEdit, type Change, keyOf } from './change';

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

describe('changes', () => {
  it('of a live run are edits', () => {
    expect(asEdit(scenario, { kind: 'count', group: 0, count: 6 })).toEqual({
      kind: 'setCount',
      group: 0,
      count: 6,
    });
    expect(asEdit(scenario, { kind: 'nice', group: 1, nice: 3 })).toEqual({
      kind: 'setNice',
      target: { group: 'sh' },
      nice: 3,
    });
  });

  it('of a slice reach a group or a thread, and 0 takes a slice of their own away', () => {
    const group = { kind: 'slice', group: 1, sliceNs: 500_000 } satisfies Change;
    expect(asEdit(scenario, group)).toEqual({
      kind: 'setSlice',
      target: { group: 'sh' },
      sliceNs: 500_000,
    });
    const there = normal(applyChange(scenario, group));
    expect(there.groups[1]?.sliceNs).toBe(500_000);
    expect(applyChange(there, { ...group, sliceNs: 0 })).toEqual(scenario);
    expect(asEdit(scenario, { kind: 'threadSlice', thread: 'sh-1', sliceNs: 0 })).toEqual({
      kind: 'setSlice',
      target: { thread: 'sh-1' },
      sliceNs: 0,
    });
  });

  it('knows which changes only make sense from the start', () => {
    for (const change of [
      { kind: 'machine', machine: 'x' },
      { kind: 'seed', seed: 2 },
      { kind: 'addLane', scheduler: { id: 'bfs' } },
      { kind: 'tunable', lane: 0, id: 'hz', value: 100, isDefault: false, isLive: false },
    ] satisfies Change[]) {
      expect(asEdit(scenario, change)).toBeNull();
    }
  });

  it('going back gives the same scenario', () => {
    const there = normal(applyChange(scenario, { kind: 'nice', group: 0, nice: 3 }));
    expect(there.groups[0]?.nice).toBe(3);
    expect(applyChange(there, { kind: 'nice', group: 0, nice: 0 })).toEqual(scenario);
    const tuned = normal(
      applyChange(scenario, {
        kind: 'tunable',
        lane: 0,
        id: 'rr',
        value: 9,
        isDefault: false,
        isLive: true,
      }),
    );
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

  it('of one thread are edits, live and from the start', () => {
    const pause = { kind: 'threadPause', thread: 'dhry-2', paused: true } as const;
    const resume = { ...pause, paused: false };
    const copy = { kind: 'threadCopy', thread: 'dhry-2' } as const;
    const target = { thread: 'dhry-2' };
    expect(asEdit(scenario, pause)).toEqual({ kind: 'pause', target });
    expect(asEdit(scenario, resume)).toEqual({ kind: 'resume', target });
    expect(asEdit(scenario, copy)).toEqual({ kind: 'copy', thread: 'dhry-2' });
    const [stopped, copied] = [pause, copy].map((c) => normal(applyChange(scenario, c)));
    expect(stopped?.edits).toEqual([{ atNs: 0, edit: { kind: 'pause', target } }]);
    expect(copied?.edits).toEqual([{ atNs: 0, edit: { kind: 'copy', thread: 'dhry-2' } }]);
  });

  it('of one thread at the start: the last one counts', () => {
    const after = (...changes: Change[]) =>
      changes.reduce<Scenario>((s, c) => normal(applyChange(s, c)), {
        ...scenario,
        edits: [{ atNs: 5, edit: { kind: 'unpin', target: {} } }],
      });
    const nice = (thread: string, to: number): Change => ({ kind: 'threadNice', thread, nice: to });
    const pause = (paused: boolean): Change => ({ kind: 'threadPause', thread: 'sh-1', paused });
    const { edits } = after(nice('sh-1', 5), pause(true), nice('sh-2', 1), nice('sh-1', 3));
    expect(edits.map(({ edit }) => edit)).toEqual([
      { kind: 'pause', target: { thread: 'sh-1' } },
      { kind: 'setNice', target: { thread: 'sh-2' }, nice: 1 },
      { kind: 'setNice', target: { thread: 'sh-1' }, nice: 3 },
      { kind: 'unpin', target: {} },
    ]);
    expect(after(pause(true), pause(false)).edits[0]?.edit.kind).toBe('resume');
    const copy: Change = { kind: 'threadCopy', thread: 'sh-1' };
    expect(after(copy, copy).edits).toHaveLength(3);
  });

  it('may leave out fields that the core fills in', () => {
    const group = { name: 'more', count: 1, behaviour: { kind: 'compute' } };
    const { groups } = normal(applyChange(scenario, { kind: 'addGroup', group }));
    expect(groups[2]).toMatchObject({ nice: 0, policy: 'normal', startNs: 0 });
    const background = { daemons: {}, kernelThreads: {} };
    const made = normal(applyChange(scenario, { kind: 'background', background }));
    expect(made.background?.daemons?.count).toBe(10);
  });
});
