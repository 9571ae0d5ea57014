import { describe, expect, it } from 'vitest';
import type { Move } from '../../sim/history';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { FLIGHT_MS, Motion, MOST_LINES, TRAIL_MS } from './motion';
import type { Placed } from './placed';

const PICK: ReasonEntry = {
  id: 'global_pick',
  kind: 'migrate',
  kernel: '',
  operands: ['', '', '', ''],
  units: ['', '', '', ''],
};

const place = (cpu: number, x: number): Placed => ({
  task: 1,
  kind: 'slot',
  cpu,
  x,
  y: 0,
  size: 10,
});
const move = (seq: number, from = 0, to = 4): Move => ({
  seq,
  atNs: seq,
  task: 1,
  from,
  to,
  reason: PICK,
  decision: seq,
  also: -1,
});

describe('Motion', () => {
  it('flies from one true place to the next, longer for larger distances, and arrives exactly', () => {
    for (const [x, ms] of [
      [1, FLIGHT_MS.least],
      [2000, FLIGHT_MS.most],
    ] as const) {
      const motion = new Motion();
      motion.at([place(0, 0)], 0, false);
      expect(motion.at([place(1, x)], 1000, false)[0]?.x).toBe(0);
      const half = motion.at([place(1, x)], 1000 + ms / 2, false)[0]?.x ?? 0;
      expect(half).toBeGreaterThan(0.1 * x);
      expect(half).toBeLessThan(0.9 * x);
      expect(motion.at([place(1, x)], 1000 + 0.99 * ms, false)[0]?.isMoving).toBe(true);
      expect(motion.at([place(1, x)], 1001 + ms, false)[0]).toEqual(place(1, x));
    }
  });

  it('cuts with reduced motion', () => {
    const motion = new Motion();
    motion.at([place(0, 0)], 0, true);
    expect(motion.at([place(1, 100)], 10, true)[0]?.x).toBe(100);
  });

  it('cuts a thread that moves faster than the eye can follow', () => {
    const motion = new Motion();
    for (let i = 0; i < 6; i++) motion.at([place(i, i * 100)], i * 50, false);
    expect(motion.at([place(6, 600)], 300, false)[0]?.x).toBe(600);
  });

  it('a thread that was cut flew from its place once moves were drawn again', () => {
    const motion = new Motion();
    motion.at([place(0, 0)], 0, true);
    motion.at([place(1, 100)], 10, true);
    expect(motion.at([place(1, 100)], 26, false)[0]).toEqual(place(1, 100));
    // The same where its own moves become rarer: the first of six is more than a second old.
    const hasty = new Motion();
    for (let i = 0; i < 6; i++) hasty.at([place(i, i * 100)], i * 250, false);
    expect(hasty.at([place(5, 500)], 1501, false)[0]).toEqual(place(5, 500));
  });

  it('shows moves as trails that fade, the newest few of them', () => {
    const motion = new Motion();
    const moves = [move(1), move(2)];
    motion.notice(moves, 0, () => true);
    expect(motion.trails(10)).toHaveLength(2);
    expect(motion.trails(TRAIL_MS + 1)).toHaveLength(0);
    for (let i = 3; i < 30; i++) moves.push(move(i));
    motion.notice(moves, 2000, () => true);
    const trails = motion.trails(2001);
    expect(trails).toHaveLength(MOST_LINES);
    expect(trails.at(-1)?.seq).toBe(29);
  });

  it('leaves none for threads that have no trail', () => {
    const motion = new Motion();
    motion.notice([move(1), { ...move(2), task: 7 }], 0, (task) => task !== 7);
    expect(motion.trails(1).map((t) => t.seq)).toEqual([1]);
  });

  it('does not show a move twice', () => {
    const motion = new Motion();
    const moves = [move(1)];
    motion.notice(moves, 0, () => true);
    motion.notice(moves, 16, () => true);
    expect(motion.trails(20)).toHaveLength(1);
  });
});
