import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from '../../sim/frame';
import { Host } from '../../sim/host';
import { realCore } from '../../sim/test-core';
import { Reasons } from '../../sim/reasons';
import { causeRows, groupRows, type Measured, moveRows, threadRows } from './rows';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

const schedulers = [
  { id: 'ule', era: '2011-11' },
  { id: '4bsd', era: '2011-11' },
];

/** Two lanes with twelve hogs in two groups on eight cores. */
async function lanes(): Promise<readonly Measured[]> {
  const scenario = {
    version: 1,
    name: 'two groups',
    seed: 1,
    machine: 'k8x4',
    schedulers,
    groups: [
      { name: 'one', count: 4, behaviour: { kind: 'compute' }, startSpacingNs: 0 },
      { name: 'other', count: 8, behaviour: { kind: 'compute' }, startSpacingNs: 0 },
    ],
    end: { atNs: 20e9 },
  };
  const result = await host.configure({ scenario, at: 5e9 });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.moment.lanes.map(({ frame, metrics, names }, l) => ({
    calm: new Frame(new FrameSchema(host.catalog, schedulers[l]?.id ?? ''), frame),
    metrics,
    names: names ?? { revision: 0, tasks: [], groups: [], taskGroup: [], cgroups: [] },
    isBackground: (t) => names?.groups[names.taskGroup[t] ?? -1]?.background === true,
    nameOf: (t) => names?.tasks[t] ?? '',
  }));
}

const sumOf = (rows: readonly { values: readonly number[] }[], lane: number) =>
  rows.reduce((sum, row) => sum + (row.values[lane] ?? Number.NaN), 0);

describe('rows of measures', () => {
  it('CPU time is the same by group, by thread and by cause', async () => {
    const both = await lanes();
    const [groups, threads] = [groupRows(both), threadRows(both)];
    expect(groups.map((r) => r.entry.name)).toEqual(['one', 'other']);
    expect(threads).toHaveLength(12);
    for (const lane of [0, 1]) {
      expect(sumOf(groups, lane)).toBeGreaterThan(7.9);
      expect(sumOf(threads, lane)).toBeCloseTo(sumOf(groups, lane), 2);
      expect(sumOf(causeRows(host.catalog.causes, both), lane)).toBeCloseTo(1, 9);
    }
  });

  it('moves have the same total by reason and by distance', async () => {
    await lanes();
    const moves = [0, 1].map((lane) => ({
      reasons: new Reasons(host.catalog, schedulers[lane]?.id ?? ''),
      rows: host.moves(lane),
    }));
    const [reasons, distances] = [moveRows('reason', moves), moveRows('distance', moves)];
    expect(sumOf(reasons, 1)).toBeGreaterThan(0);
    for (const lane of [0, 1]) expect(sumOf(reasons, lane)).toBe(sumOf(distances, lane));
  });
});
