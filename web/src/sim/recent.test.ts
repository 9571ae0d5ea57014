import { describe, expect, it } from 'vitest';
import { Recent } from './recent';

const JOBS = (task: number) => task >= 10;

describe('the recent past of a lane', () => {
  it('adds up which threads had each CPU in a span, from its beginning to now', () => {
    const recent = new Recent(3);
    recent.clear(0);
    recent.addSwitch(100, 0, -1, 1);
    recent.addSwitch(300, 0, 1, 2);
    recent.addSwitch(350, 1, 5, -1);
    const { had, switches, fromNs } = recent.tally(400, 200, [2, -1, 7], JOBS);
    expect(fromNs).toBe(200);
    expect(had.map((of) => [...of])).toEqual([
      [
        [2, 100],
        [1, 100],
      ],
      [[5, 150]],
      [[7, 200]],
    ]);
    expect([...switches]).toEqual([1, 1, 0]);
  });

  it('counts moves of jobs by pair and thread, and moves of daemons separately', () => {
    const recent = new Recent(2);
    recent.clear(0);
    recent.addMove(10, 1, 0, 1);
    recent.addMove(20, 1, 1, 0);
    recent.addMove(30, 2, 0, 1);
    recent.addMove(40, 12, 0, 1);
    recent.addMove(50, 3, -1, 1);
    const all = recent.tally(100, 1000, [-1, -1], JOBS);
    expect(all).toMatchObject({ moves: 3, daemonMoves: 1, fromNs: 0 });
    expect(all.pairs).toHaveLength(2);
    expect(all.pairs).toContainEqual({ from: 0, to: 1, count: 2 });
    expect(all.pairs).toContainEqual({ from: 1, to: 0, count: 1 });
    expect([...all.movesOf].sort()).toEqual([
      [1, 2],
      [2, 1],
    ]);
    // An event at the beginning belongs to the time before.
    expect(recent.tally(100, 80, [-1, -1], JOBS).moves).toBe(1);
  });

  it('has the same rate of events as its tally', () => {
    const recent = new Recent(3);
    recent.clear(0);
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const curr = [-1, -1, -1];
    for (let at = 1; at < 2_000; at += 1 + next(5)) {
      const [cpu, task] = [next(3), next(14) - 1];
      recent.addSwitch(at, cpu, curr[cpu] ?? -1, task);
      curr[cpu] = task;
      if (next(3) === 0) recent.addMove(at, next(13), next(3), next(3));
    }
    for (const length of [10, 300, 5_000]) {
      const { fromNs, toNs, moves, sliceNs } = recent.tally(2_000, length, curr, JOBS);
      expect(recent.pulse(2_000, length, curr, JOBS)).toEqual({ fromNs, toNs, moves, sliceNs });
    }
  });

  it('says from which time on it knows the past', () => {
    const recent = new Recent(1);
    recent.clear(500);
    recent.addSwitch(600, 0, 1, 2);
    const { fromNs, had } = recent.tally(700, 1000, [2], JOBS);
    expect(fromNs).toBe(500);
    expect([...(had[0] ?? [])]).toEqual([
      [2, 100],
      [1, 100],
    ]);
  });

  it('has the median slice of jobs, which a daemon does not end', () => {
    const recent = new Recent(2);
    recent.clear(0);
    for (const [at, before, task] of [
      [10, -1, 1],
      [30, 1, 2],
      [60, 2, 30],
      [100, 30, 2],
      [150, 2, 3],
      [155, 3, 4],
    ] as const)
      recent.addSwitch(at, 0, before, task);
    // 20 of thread 1, 80 of thread 2 with the daemon inside, 5 of thread 3; thread 4 has not ended.
    expect(recent.tally(1000, 1000, [4, -1], JOBS).sliceNs).toBe(20);
    // Two threads that never left their CPUs.
    expect(recent.tally(1000, 800, [4, 5], JOBS).sliceNs).toBe(Infinity);
    expect(new Recent(1).tally(1000, 1000, [-1], JOBS).sliceNs).toBe(Infinity);
  });

  it('forgets the oldest entries when there are too many, and reports that', () => {
    const recent = new Recent(1);
    recent.clear(0);
    const n = (1 << 18) + 1_000;
    for (let at = 1; at <= n; at++) recent.addMove(at, 1, at % 2, 1 - (at % 2));
    const all = recent.tally(n, n, [-1], JOBS);
    expect(all.moves).toBe(n - all.fromNs);
    expect(all.fromNs).toBe(1_001);
    expect(recent.tally(n, 50, [-1], JOBS).moves).toBe(50);
  });
});
