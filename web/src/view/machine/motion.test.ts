import { describe, expect, it } from 'vitest';
import type { Move } from '../../sim/history';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { FLOW_FROM, GLIDE_MS, Motion, TRAIL_MS } from './motion';
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
  it('glides from one true place to the next and arrives exactly', () => {
    const motion = new Motion();
    motion.at([place(0, 0)], 0, false);
    expect(motion.at([place(1, 100)], 1000, false)[0]?.x).toBe(0);
    const half = motion.at([place(1, 100)], 1000 + GLIDE_MS / 2, false)[0]?.x ?? 0;
    expect(half).toBeGreaterThan(10);
    expect(half).toBeLessThan(90);
    expect(motion.at([place(1, 100)], 1000 + GLIDE_MS, false)[0]?.x).toBe(100);
  });

  it('cuts when motion is not wanted', () => {
    const motion = new Motion();
    motion.at([place(0, 0)], 0, true);
    expect(motion.at([place(1, 100)], 10, true)[0]?.x).toBe(100);
  });

  it('cuts a thread that moves faster than the eye follows', () => {
    const motion = new Motion();
    for (let i = 0; i < 6; i++) motion.at([place(i, i * 100)], i * 50, false);
    expect(motion.at([place(6, 600)], 300, false)[0]?.x).toBe(600);
  });

  it('shows few moves as trails that fade and many as a flow with their number', () => {
    const motion = new Motion();
    const moves = [move(1), move(2)];
    motion.notice(moves, 0);
    expect(motion.moves(10).trails).toHaveLength(2);
    expect(motion.moves(TRAIL_MS + 1).trails).toHaveLength(0);
    for (let i = 3; i < 3 + FLOW_FROM + 1; i++) moves.push(move(i));
    motion.notice(moves, 2000);
    const { trails, flows } = motion.moves(2001);
    expect(trails).toHaveLength(0);
    expect(flows).toMatchObject([{ from: 0, to: 4, reason: PICK, perSecond: FLOW_FROM + 1 }]);
  });

  it('does not count a move twice', () => {
    const motion = new Motion();
    const moves = [move(1)];
    motion.notice(moves, 0);
    motion.notice(moves, 16);
    expect(motion.moves(20).trails).toHaveLength(1);
  });
});
