import { describe, expect, it } from 'vitest';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { type CountsOf, reasonRows } from './reason-rows';

const reason = (id: string, kind: string): ReasonEntry => ({
  id,
  kind,
  kernel: `${id}() @ 1`,
  operands: ['', '', '', ''],
  units: ['', '', '', ''],
});

/** A lane with two reasons and the threads `a` and `b`. */
function lane(ids: readonly [string, string], rows: readonly (readonly number[])[]): CountsOf {
  const all = [reason(ids[0], 'pickNext'), reason(ids[1], 'preempt')];
  return {
    lane: {
      idOf: new Map([
        ['a', 0],
        ['b', 1],
      ]),
      reasons: { all, of: (code) => all[code] ?? null, has: (id) => all.some((r) => r.id === id) },
    },
    rows: Float64Array.from(rows.flat()),
  };
}

const LANES = [
  lane(
    ['leftmost', 'better'],
    [
      [0, -1, -1, 9],
      [1, -1, -1, 2],
      [0, 3, -1, 5],
      [0, -1, 1, 4],
    ],
  ),
  // The same word has another code here.
  lane(
    ['earliest', 'leftmost'],
    [
      [1, -1, -1, 7],
      [1, 3, -1, 7],
    ],
  ),
];

const told = (about: { cpu: number | null; thread: string | null }) =>
  reasonRows(LANES, about).map(({ entry, values }) => [entry.name, ...values]);

describe('counts of reasons', () => {
  it('are totals of the whole run, by kind and reason', () => {
    expect(told({ cpu: null, thread: null })).toEqual([
      ['all', 11, 7],
      ['preemption: better', 2, 0],
      ['preemption: leftmost', 0, 7],
      ['who runs next: leftmost', 9, 0],
    ]);
  });

  it('are those about a CPU', () => {
    expect(told({ cpu: 3, thread: null })).toEqual([
      ['all', 5, 7],
      ['preemption: leftmost', 0, 7],
      ['who runs next: leftmost', 5, 0],
    ]);
  });

  it('are those about a thread, by name', () => {
    expect(told({ cpu: null, thread: 'b' })).toEqual([
      ['all', 4, 0],
      ['who runs next: leftmost', 4, 0],
    ]);
    expect(told({ cpu: null, thread: 'nobody' })).toEqual([]);
  });
});
