import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { axesOf, chartOf, itemsOf, measuredBy, valuesBetween } from './own-sweep';
import { run } from '../sim/pkg/sim_wasm';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 's0-v890')?.scenario;
if (!base) throw new Error('s0-v890 is shipped');
const axes = axesOf(base, catalog);

describe('a sweep of one’s own', () => {
  it('can vary groups and tunables, each within the bounds of the core', () => {
    const ids = axes.map((a) => a.id);
    for (const id of ['count.0', 'nice.0', 'ws.0', 'param.0.workMs', 'tunable.ule.stealThresh'])
      expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const a of axes) expect(a.now, a.id).toBeLessThanOrEqual(a.max);
  });
  it.each(axes.map((a) => [a.id, a] as const))(
    '%s makes scenarios that the core takes',
    (_, axis) => {
      const items = itemsOf(base, axis, [axis.now], 1);
      expect(items).toHaveLength(2);
      for (const { scenario } of items) expect(checked(JSON.parse(scenario)).errors).toEqual([]);
    },
  );
  it('leaves lanes alone that do not have the tunable', () => {
    const axis = axes.find((a) => a.id === 'tunable.ule.stealThresh');
    const lanes = axis ? itemsOf(base, axis, [5], 1) : [];
    const tunables = lanes.map((i) => (JSON.parse(i.scenario) as Scenario).schedulers[0]?.tunables);
    expect(tunables).toEqual([{}, { stealThresh: 5 }]);
  });
  it('measures what the probe gives, by the names of its columns', () => {
    const [axis] = axes;
    const [item] = axis ? itemsOf(base, axis, [2], 1) : [];
    const short = { ...(JSON.parse(item?.scenario ?? '') as Scenario), end: { atNs: 3_000_000 } };
    const { columns, values } = run(JSON.stringify(short), 'measures', new Float64Array());
    expect(columns).toEqual(expect.arrayContaining(measuredBy(catalog).map((m) => m.id)));
    expect(values[columns.indexOf('elapsedNs')]).toBe(3_000_000);
  });
  it('becomes a chart: a line for each lane, a mean for each value', () => {
    const [axis] = axes;
    const [measure] = measuredBy(catalog);
    if (!axis || !measure) throw new Error('there is something to vary and to measure');
    const items = itemsOf(base, axis, [2, 1], 2);
    const samples = items.map((item) => {
      const { seed } = JSON.parse(item.scenario) as Scenario;
      const values = Float64Array.of(7, (item.lane + item.x + seed) * 1e9);
      return { item, columns: ['other', 'elapsedNs'], values };
    });
    const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length;
    const estimate = (v: readonly number[]) => ({ mean: mean(v), half: 0, n: v.length });
    const swept = { label: 'n', isLog: false, lanes: ['A', 'B'] };
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
  it('takes whole steps, evenly or by factors', () => {
    expect(valuesBetween(1, 8, 8, false)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(valuesBetween(1, 1000, 4, true)).toEqual([1, 10, 100, 1000]);
    expect(valuesBetween(-2, 2, 3, true)).toEqual([-2, 0, 2]);
    expect(valuesBetween(3, 4, 9, false)).toEqual([3, 4]);
  });
});
