import { describe, expect, it } from 'vitest';
import type { LaneNames } from '../sim/protocol';
import { Samples } from '../sim/samples';
import { sumsBetween } from './span-sums';

const names = {
  tasks: ['a-1', 'a-2'],
  taskGroup: [0, 0],
  groups: [{ name: 'a' }, { name: 'daemons' }],
} as unknown as LaneNames;

/** A row of one cause, two groups, the global queue and two CPUs, then two threads without columns. */
function at(ns: number, groups: readonly number[], tasks: readonly (readonly number[])[]): Samples {
  const row = [
    ns,
    0,
    ...groups,
    0,
    0,
    0,
    ...tasks.flatMap(([run = 0, n = 0, m = 0]) => [run, 0, 0, n, m]),
  ];
  return new Samples(
    Float64Array.from([row.length, ...row]),
    { causes: 1, groups: 2, cpus: 2 },
    [0, 1],
  );
}

describe('the sums of a marked span', () => {
  const before = at(
    100,
    [50, 5],
    [
      [50, 3, 1],
      [Number.NaN, Number.NaN, Number.NaN],
    ],
  );
  const after = at(
    200,
    [170, 25],
    [
      [110, 5, 1],
      [60, 1, 2],
    ],
  );
  const sums = sumsBetween({ fromNs: 100, toNs: 200 }, [before, after], names, 2);

  it('are the totals at its end minus those at its beginning', () => {
    expect(sums).toMatchObject({ busy: 0.7, switches: 3, moves: 2 });
    expect(sums.shares.above.map(({ task, share }) => [task, share])).toEqual([
      [0, 0.6],
      [1, 0.6],
    ]);
  });

  it('count nothing of a thread before it began', () => {
    expect(before.total(1)).toEqual({ runNs: 0, workNs: 0, switches: 0, migrations: 0 });
  });
});
