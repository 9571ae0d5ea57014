import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../../sim/test-core';
import type { Seen } from '../../sim/sweep/protocol';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import type { Item } from './batch.svelte';
import { axesOf, chartOf, itemsOf } from './own-sweep';
import { proposedEnds, roundBetween } from '../round-values';
import { digestOf, eventsOf, measuredBy } from './sweep-measures';
import { rowsCsv, rowsOf } from './sweep-rows';
import { run } from '../../sim/pkg/sim_wasm';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 's0-v890')?.scenario;
if (!base) throw new Error('s0-v890 is shipped');
const axes = axesOf(base, catalog);

describe('the reader’s own sweep', () => {
  it('can vary groups and tunables, each within the bounds of the core', () => {
    const ids = axes.map((a) => a.id);
    const { name = '' } = base.groups[0] ?? {};
    for (const field of ['count', 'nice', 'sliceNs', 'workingSetBytes', 'behaviour.workMs'])
      expect(ids).toContain(`groups.${name}.${field}`);
    for (const id of ['lanes.ule.stealThresh', 'end.atNs']) expect(ids).toContain(id);
    expect(ids[0]).toBe(`groups.${name}.count`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const a of axes) expect(a.now, a.id).toBeLessThanOrEqual(a.max);
  });
  it.each(axes.map((a) => [a.id, a] as const))(
    '%s makes scenarios that the core accepts',
    (_, axis) => {
      const items = itemsOf(base, axis, [axis.now], 1);
      expect(items).toHaveLength(2);
      for (const { scenario } of items) expect(checked(JSON.parse(scenario)).errors).toEqual([]);
    },
  );
  it('leaves lanes alone that do not have the tunable', () => {
    const axis = axes.find((a) => a.id === 'lanes.ule.stealThresh');
    const lanes = axis ? itemsOf(base, axis, [5], 1) : [];
    const tunables = lanes.map((i) => (JSON.parse(i.scenario) as Scenario).schedulers[0]?.tunables);
    expect(tunables).toEqual([{}, { stealThresh: 5 }]);
  });
  it('proposes values that the core accepts, including the present one', () => {
    for (const axis of axes) {
      const values = roundBetween(...proposedEnds(axis), 8, axis);
      expect(values, axis.id).toContain(axis.now);
      expect(axis.id.endsWith('.count') && values.includes(0), axis.id).toBe(false);
      const items = itemsOf(base, axis, values, 1);
      for (const { scenario } of items)
        expect(checked(JSON.parse(scenario)).errors, axis.id).toEqual([]);
    }
  });
  it('becomes a chart: a line for each lane, a mean for each value', () => {
    const [axis] = axes;
    const [measure] = measuredBy(catalog, base);
    if (!axis || !measure) throw new Error('there is something to vary and to measure');
    const items = itemsOf(base, axis, [2, 1], 2);
    const samples = items.map((item) => {
      const values = Float64Array.of(7, (item.lane + item.x + item.seed) * 1e9);
      return { item, columns: ['other', 'elapsedNs'], values };
    });
    const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length;
    const estimate = (v: readonly number[]) => ({ mean: mean(v), half: 0, n: v.length });
    const swept = { axis: { label: 'n', heading: 'n' }, isLog: false, lanes: ['A', 'B'] };
    const chart = chartOf(swept, measure, samples, estimate);
    const shape = chart.series.map((s) => [
      s.label,
      ...s.points.map((p) => [p.x, p.estimate.mean]),
    ]);
    expect(shape).toEqual([
      ['A', [1, 2.5], [2, 3.5]],
      ['B', [1, 3.5], [2, 4.5]],
    ]);
    expect(chart.series[1]?.points[0]?.keys).toEqual(['1/1/1', '1/1/2']);
    const known = samples.map((s) => ({ ...s, columns: ['other', 'another'] }));
    expect(chartOf(swept, measure, known, estimate).series[0]?.points).toEqual([]);
  });
});

/** A run of a few milliseconds: two groups, one of which starts between the threads of the other. */
const two: Scenario = {
  ...base,
  groups: base.groups.flatMap((group) => [
    { ...group, name: 'a', count: 2 },
    { ...group, name: 'b', count: 3, nice: 5 },
  ]),
  end: { ...base.end, atNs: 40_000_000 },
};
const [axis] = axesOf(two, catalog);
if (!axis) throw new Error('threads can be varied');
function given(item: Item | undefined): Seen {
  const { columns, values } = run(item?.scenario ?? '', item?.probe ?? '', new Float64Array());
  return { columns, values };
}

describe('what is measured', () => {
  const [item] = itemsOf(two, axis, [2], 1);
  const seen = given(item);
  const measures = measuredBy(catalog, two);
  const read = (id: string) => measures.find((m) => m.id === id)?.read(seen);
  it('is what the probe gives for the run, for groups and for threads', () => {
    expect(read('elapsedNs')).toBe(40_000_000);
    expect(measures.filter((m) => Number.isNaN(m.read(seen)) && m.of === 'a')).toEqual([]);
    expect(read('a/threads')).toBe(2);
    expect(read('b/threads')).toBe(3);
    const sum = (read('thread/b-1/cpuNs') ?? 0) + (read('thread/b-2/cpuNs') ?? 0);
    expect(read('b/cpuNs')).toBe(sum + (read('thread/b-3/cpuNs') ?? 0));
    expect(read('a/cpuNs')).toBeGreaterThan(0);
    expect(read('thread/a-1/exitedAtNs')).toBeNaN();
    const ids = measures.filter((m) => !m.of.startsWith('thread/')).map((m) => m.id);
    expect(seen.columns).toEqual(expect.arrayContaining(ids));
    expect(read('b/placements')).toBeLessThanOrEqual(3);
    expect([0, 1]).toContain(read('thread/b-3/placements'));
    expect(seen.columns).toHaveLength(seen.values.length);
  });
  it('of a thread that a run does not have is not a number', () => {
    const [one] = itemsOf(two, axis, [1], 1);
    expect(measures.find((m) => m.id === 'thread/a-2/cpuNs')?.read(given(one))).toBeNaN();
  });
  it('has names and numbers of its own', () => {
    expect(new Set(measures.map((m) => m.id)).size).toBe(measures.length);
    expect(eventsOf(seen)).toBeGreaterThan(0);
    expect(digestOf(seen)).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('rows', () => {
  const items = itemsOf(two, axis, [1, 2], 2);
  const samples = items.slice(2).map((item) => ({ item, ...given(item) }));
  const bad = [{ key: items[0]?.key ?? '', status: 'failed', message: '=unreachable' }] as const;
  const rows = rowsOf(items, samples, bad);
  it('exist for every run, with its result or its problem', () => {
    const status = rows.map((r) => r.status);
    // The largest values run first.
    expect(status).toEqual(['ok', 'ok', 'ok', 'ok', 'failed', 'ok', 'waiting', 'ok']);
    expect(rows.map((r) => r.item.x)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    expect(rows.map((r) => r.item.seed)).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
    expect(rows.map((r) => r.item.lane)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(rows[4]?.message).toBe('=unreachable');
  });
  it('are a file with the columns of the command line', () => {
    const measures = measuredBy(catalog, two).filter((m) => m.id === 'elapsedNs');
    const text = rowsCsv(rows, axis, measures, catalog);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'point,lane,count,machine,scheduler,era,run_seed,status,message,events,digest,elapsedNs',
    );
    expect(lines).toHaveLength(9);
    const points = lines.slice(1).map((line) => line.split(',')[0]);
    expect(points).toEqual(['0', '0', '1', '1', '2', '2', '3', '3']);
    expect(lines[1]).toMatch(/^0,0,1,v890,4bsd,[^,]+,1,ok,,\d+,[0-9a-f]{16},40000000$/);
    expect(lines[5]).toContain(",1,failed,'=unreachable,,,");
  });
});
