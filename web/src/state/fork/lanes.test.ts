import { describe, expect, it } from 'vitest';
import { laneOf } from '../../sim/property/edit';
import type { Scenario } from '../../sim/types/Scenario';
import { forked, withoutLane } from './lanes';

const base = {
  version: 1,
  name: 'fork',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'cfs' }],
  groups: [],
  controls: [{ kind: 'nice' }, { kind: 'tunable', id: 'latencyNs', lane: 1 }],
  end: { atNs: 1 },
  edits: [
    { atNs: 1, set: { 'groups.*.nice': 1 } },
    { atNs: 2, set: { 'groups.*.nice': 2 }, lane: 0 },
    { atNs: 3, set: { 'lanes.2.hz': 100 } },
  ],
} as unknown as Scenario;

const lanes = (s: Scenario) => s.edits.map((e) => [e.atNs, laneOf(e) ?? null]);

describe('a fork', () => {
  it('has the same edits, and the lanes after it keep theirs', () => {
    const fork = forked(base, 0);
    expect(fork.schedulers.map((s) => s.id)).toEqual(['bfs', 'bfs', 'cfs']);
    expect(lanes(fork)).toEqual([
      [1, null],
      [2, 0],
      [2, 1],
      [3, 2],
    ]);
  });

  it('leaves controls with their lanes, and removes those without a lane', () => {
    const of = (s: Scenario) => s.controls.map(({ lane }) => lane ?? null);
    expect(of(forked(base, 0))).toEqual([null, 2]);
    expect(of(forked(base, 1))).toEqual([null, 1]);
    expect(of(withoutLane(base, 0))).toEqual([null, 0]);
    expect(of(withoutLane(base, 1))).toEqual([null]);
  });

  it('can be removed without a trace', () => {
    expect(withoutLane(forked(base, 0), 1)).toEqual(base);
    expect(withoutLane(forked(base, 1), 2)).toEqual(base);
  });
});
