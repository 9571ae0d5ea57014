import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import { axesOf, itemsOf, measuredBy, valuesBetween } from './own-sweep';
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
      const items = itemsOf(base, catalog, axis, [axis.now], 1);
      expect(items).toHaveLength(2);
      for (const { scenario } of items) expect(checked(scenario).errors).toEqual([]);
    },
  );
  it('leaves lanes alone that do not have the tunable', () => {
    const axis = axes.find((a) => a.id === 'tunable.ule.stealThresh');
    const lanes = axis ? itemsOf(base, catalog, axis, [5], 1) : [];
    const tunables = lanes.map((i) => i.scenario.schedulers[0]?.tunables);
    expect(tunables).toEqual([{}, { stealThresh: 5 }]);
  });
  it('measures what the probe gives, in its order', () => {
    const [axis] = axes;
    const [item] = axis ? itemsOf(base, catalog, axis, [2], 1) : [];
    const short = { ...item?.scenario, end: { atNs: 3_000_000 } };
    const values = run(JSON.stringify(short), 'measures', new Float64Array());
    expect(values).toHaveLength(measuredBy(catalog).length);
    expect(values[0]).toBe(3_000_000);
  });
  it('takes whole steps, evenly or by factors', () => {
    expect(valuesBetween(1, 8, 8, false)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(valuesBetween(1, 1000, 4, true)).toEqual([1, 10, 100, 1000]);
    expect(valuesBetween(-2, 2, 3, true)).toEqual([-2, 0, 2]);
    expect(valuesBetween(3, 4, 9, false)).toEqual([3, 4]);
  });
});
