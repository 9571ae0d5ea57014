import { describe, expect, it } from 'vitest';
import type { LaneNames } from '../../../../sim/protocol';
import { NOBODY } from './stretches';
import { runsTable, stretchesTable } from './table';

const names = {
  tasks: ['a-1', 'a-2', 'b-1'],
  taskGroup: [0, 0, 1],
  groups: [],
} as unknown as LaneNames;
const cost = { lockNs: 0, switchNs: 0, refillNs: 0 };
const slice = (from: number, to: number, task: number) => ({
  from,
  to,
  task,
  decision: -1,
  also: -1,
  cost,
});
const span = { fromNs: 100, toNs: 200 };

describe('the table of a timeline', () => {
  it('lists the threads of each CPU in the window, and nothing outside of it', () => {
    const slices = [
      [slice(0, 150, 0), slice(150, 190, 1), slice(190, Infinity, -1)],
      [slice(0, 90, 2), slice(90, Infinity, -1)],
    ];
    expect(runsTable(span, [1, 0], slices, names).rows).toEqual([
      ['cpu 1', '0 %', '0', '–', '0'],
      ['cpu 0', '90 %', '2', 'a-1 50 %', '2'],
    ]);
  });

  it('is also made from totals of equal spans', () => {
    const stretch = (task: number, busy: number) => [task, 0, task < 0 ? NOBODY : 0, 0, busy, 0];
    const half = Math.round(NOBODY / 2);
    const words = Uint16Array.from(
      [stretch(2, NOBODY), stretch(1, NOBODY), stretch(1, half)].flat(),
    );
    const past = { kind: 'stretches', fromNs: 50, toNs: 200, lengthNs: 50, words } as const;
    expect(stretchesTable(span, [0], past, names).rows).toEqual([['cpu 0', '75 %', 'a-2']]);
  });
});
