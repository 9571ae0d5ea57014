import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rect } from '../../lib/geom';
import type { MachineTree } from '../../sim/types/MachineTree';
import { layoutMachine, slotParts } from './layout';

/** A regular machine whose siblings are i and i + cores. */
function machine(nodes: number, llcs: number, cores: number, threads: number): MachineTree {
  const total = nodes * llcs * cores;
  const cpus = Array.from({ length: total * threads }, (_, cpu) => cpu);
  const core = (cpu: number) => cpu % total;
  return {
    core: cpus.map(core),
    llc: cpus.map((c) => Math.floor(core(c) / cores)),
    node: cpus.map((c) => Math.floor(core(c) / (cores * llcs))),
    package: cpus.map((c) => Math.floor(core(c) / (cores * llcs))),
    thread: cpus.map((c) => Math.floor(c / total)),
    cluster: cpus.map(core),
    kind: cpus.map(() => 0),
    kinds: [''],
    caches: [],
  };
}

const inside = (outer: Rect, r: Rect) =>
  r.x >= outer.x - 0.01 &&
  r.y >= outer.y - 0.01 &&
  r.x + r.w <= outer.x + outer.w + 0.01 &&
  r.y + r.h <= outer.y + outer.h + 0.01;
const apart = (a: Rect, b: Rect) =>
  a.x + a.w <= b.x + 0.01 ||
  b.x + b.w <= a.x + 0.01 ||
  a.y + a.h <= b.y + 0.01 ||
  b.y + b.h <= a.y + 0.01;

describe('layoutMachine', () => {
  it('fits 1 to 192 contexts into any reasonable space without overlap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<[number, number, number, number]>(
          [1, 1, 1, 1],
          [1, 1, 4, 2],
          [1, 1, 18, 2],
          [2, 1, 8, 2],
          [2, 4, 12, 2],
          [1, 1, 64, 1],
          [4, 2, 6, 4],
          [1, 2, 3, 8],
        ),
        fc.integer({ min: 220, max: 2000 }),
        fc.integer({ min: 200, max: 1200 }),
        (shape, width, height) => {
          const layout = layoutMachine(machine(...shape), { width, height });
          const page = { x: 0, y: 0, w: width, h: height };
          expect(layout.slots.map((s) => s.cpu)).toEqual(layout.slots.map((_, i) => i));
          for (const slot of layout.slots) {
            expect(inside(page, slot.rect)).toBe(true);
            expect(slot.rect.w).toBeGreaterThan(0);
            expect(slot.rect.h).toBeGreaterThan(0);
            const owner = layout.cores.find((c) => c.id === slot.core);
            expect(owner && inside(owner.rect, slot.rect)).toBe(true);
            expect(apart(slot.rect, layout.queue)).toBe(true);
            expect(apart(slot.rect, layout.tray)).toBe(true);
          }
          const [first, ...others] = layout.slots;
          if (first) for (const other of others) expect(apart(first.rect, other.rect)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says everything in words for the machine of the first scenario', () => {
    const layout = layoutMachine(machine(1, 1, 4, 2), { width: 320, height: 400 });
    expect(['wide', 'tall']).toContain(layout.density);
    expect(layout.cores).toHaveLength(4);
  });

  it('puts siblings side by side in one core', () => {
    const layout = layoutMachine(machine(1, 1, 4, 2), { width: 700, height: 500 });
    const [a, b] = [layout.slots[1], layout.slots[5]];
    expect(a?.core).toBe(b?.core);
    expect(a?.rect.y).toBe(b?.rect.y);
  });

  it('is the same for the same space', () => {
    const make = () => layoutMachine(machine(2, 2, 4, 2), { width: 640, height: 480 });
    expect(make()).toEqual(make());
  });
});

describe('slotParts', () => {
  it('keeps token, bar and text apart and inside', () => {
    for (const [w, h] of [
      [88, 34],
      [150, 66],
      [300, 120],
    ] as const) {
      const rect = { x: 10, y: 20, w, h };
      const { token, bar, text } = slotParts(rect, 'wide');
      expect(inside(rect, token) && inside(rect, bar) && text !== null && inside(rect, text)).toBe(
        true,
      );
      expect(apart(token, bar)).toBe(true);
      expect(text && apart(token, text)).toBe(true);
    }
  });
});
