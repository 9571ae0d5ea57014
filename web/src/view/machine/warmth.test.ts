import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from '../../sim/frame';
import { realCore } from '../../sim/test-core';
import { catalog, SHAPES, specOf, treeOf } from '../../sim/test-machines';
import { areasOf } from './areas';
import { saturation, servedBy, cacheSharesOf, warmOf } from './warmth';

const KIB = 1024;
const desktop = specOf(SHAPES['desktop'] ?? { cores: [] });

/** The frame with `count` threads that sweep a working set on four cores, after a while. */
function after(ms: number, count: number, workingSetBytes: number) {
  const scenario = {
    version: 1,
    name: 'warmth',
    machine: desktop,
    schedulers: [{ id: 'random' }],
    groups: [{ name: 'a', count, workingSetBytes, behaviour: { kind: 'loop' } }],
    end: { atNs: 1e10 },
  };
  const lane = realCore.plan(JSON.stringify(scenario)).lane(0);
  lane.advance(ms * 1e6, 1e6);
  const frame = new Frame(new FrameSchema(catalog, 'random'), lane.frame());
  const view = { frame, tree: treeOf(desktop), residents: lane.residents() };
  lane.free();
  return view;
}

describe('tenantsOf', () => {
  it('finds a warm thread in the cache that serves it, and in no other', () => {
    const view = after(200, 1, 256 * KIB);
    expect(servedBy(view.frame, 0)).toBe(2);
    expect(warmOf(view.frame, 0)).toBe(1);
    const cpu = view.frame.task('cpu')[0] ?? -1;
    const l2 = view.tree.caches[1]?.instance[cpu] ?? -1;
    expect(cacheSharesOf(view).get(l2)).toEqual([{ task: 0, bytes: 256 * KIB, isHere: true }]);
    const others = view.tree.caches[1]?.instance.filter((i) => i !== l2) ?? [];
    for (const i of others) expect(cacheSharesOf(view).get(i) ?? []).toEqual([]);
  });

  it('distinguishes data in use from data left behind', () => {
    const view = after(500, 12, 256 * KIB);
    const all = [...cacheSharesOf(view).values()].flat();
    expect(all.some((t) => t.isHere)).toBe(true);
    expect(all.some((t) => !t.isHere)).toBe(true);
  });

  it('never puts more into a cache than fits, and evicts what a sweep overwrites', () => {
    const view = after(500, 12, 3000 * KIB);
    for (const [cache, tenants] of cacheSharesOf(view)) {
      const tree = view.tree.caches.find((c) => c.instance.includes(cache));
      const sum = tenants.reduce((n, t) => n + t.bytes, 0);
      expect(sum).toBeLessThanOrEqual((tree?.bytes ?? 0) + 1);
      // All CPUs run: the second-level caches hold only data that passes through them.
      if (tree?.level === 2) expect(tenants.every((t) => t.isHere)).toBe(true);
    }
  });
});

describe('saturation', () => {
  it('is one while bandwidth is left, and more than one when all want it', () => {
    const [root] = areasOf(treeOf(desktop));
    if (!root) throw new Error('no machine');
    expect(saturation(after(100, 1, 256 * KIB).frame, root)).toBe(1);
    expect(saturation(after(300, 8, 64 * KIB * KIB).frame, root)).toBeGreaterThan(1.1);
  });
});
