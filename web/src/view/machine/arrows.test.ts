import { describe, expect, it } from 'vitest';
import type { Move } from '../../sim/history';
import { middleOf, moveAt, movesIn, nextMove } from './arrows';
import type { MachineLayout } from './layout';

const slot = (cpu: number, x: number) => ({
  cpu,
  rect: { x, y: 0, w: 60, h: 60 },
  density: 'compact',
});
const layout = { slots: [slot(0, 0), slot(1, 200), slot(2, 400)] } as unknown as MachineLayout;

const move = (seq: number, from: number, to: number): Move => ({
  seq,
  atNs: seq,
  task: seq,
  from,
  to,
  reason: null,
  decision: seq,
  also: -1,
});
const trail = (seq: number, from: number, to: number) => ({ ...move(seq, from, to), strength: 1 });
const link = {
  cores: [1, 2] as const,
  count: 20,
  newest: move(9, 1, 2),
  a: { x: 260, y: 130 },
  b: { x: 400, y: 130 },
  at: { x: 330, y: 130 },
};

describe('arrows', () => {
  it('are found on their arc, and nowhere else', () => {
    const trails = [trail(1, 0, 1)];
    const middle = middleOf(layout, trails[0] ?? move(0, 0, 0));
    if (!middle) throw new Error('no arc');
    expect(moveAt(layout, trails, [], middle)?.seq).toBe(1);
    expect(moveAt(layout, trails, [], { x: middle.x, y: middle.y + 40 })).toBeNull();
    expect(moveAt(layout, [], [], middle)).toBeNull();
  });

  it('that stand for many moves give the last one, on the line and at its number', () => {
    expect(moveAt(layout, [], [link], { x: 270, y: 132 })?.seq).toBe(9);
    expect(moveAt(layout, [], [link], { x: 330, y: 142 })?.seq).toBe(9);
    expect(moveAt(layout, [], [link], { x: 270, y: 142 })).toBeNull();
  });

  it('of CPUs that are not drawn have no place', () => {
    expect(middleOf(layout, move(1, 0, 7))).toBeNull();
  });

  it('are visited from the newest to the oldest, in a cycle', () => {
    const all = movesIn([trail(1, 0, 1), trail(4, 1, 0)], [link]);
    expect(all.map((m) => m.seq)).toEqual([9, 4, 1]);
    let at: Move | null = null;
    const seen = Array.from({ length: 4 }, () => (at = nextMove(all, at))?.seq);
    expect(seen).toEqual([9, 4, 1, 9]);
    expect(nextMove([], null)).toBeNull();
  });
});
