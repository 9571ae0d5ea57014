import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rect } from '../../lib/geom';
import { areasOf } from './areas';
import { layoutMachine } from './layout';
import { slotParts } from './slot';
import { allTrees, catalog, SHAPES, specOf, treeOf } from '../../sim/test-machines';

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

const trees = allTrees();
const treeNamed = (name: keyof typeof SHAPES) => treeOf(specOf(SHAPES[name] ?? { cores: [] }));
const laid = (name: keyof typeof SHAPES, width: number, height: number) =>
  layoutMachine(areasOf(treeNamed(name)), { width, height });

describe('layoutMachine', () => {
  it('fits every machine into any reasonable space without overlaps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...trees),
        fc.integer({ min: 220, max: 2000 }),
        fc.integer({ min: 220, max: 1200 }),
        ([, tree], width, height) => {
          const layout = layoutMachine(areasOf(tree), { width, height });
          const page = { x: 0, y: 0, w: width, h: height };
          expect(layout.slots.map((s) => s.cpu)).toEqual(tree.core.map((_, cpu) => cpu));
          const cores = new Map(layout.boxes.map((b) => [b.area.ids.core ?? -1, b]));
          for (const slot of layout.slots) {
            expect(inside(page, slot.rect)).toBe(true);
            expect(slot.rect.w).toBeGreaterThan(0);
            expect(slot.rect.h).toBeGreaterThan(0);
            expect(slot.core).toBe(tree.core[slot.cpu]);
            const owner = cores.get(slot.core);
            expect(owner && inside(owner.rect, slot.rect)).toBe(true);
            expect(owner && (owner.caption.h === 0 || apart(owner.caption, slot.rect))).toBe(true);
            expect(apart(slot.rect, layout.line)).toBe(true);
          }
          layout.boxes.forEach((box, i) => {
            expect(box.area.index).toBe(i);
            const parent = layout.boxes[box.area.parent?.index ?? -1];
            if (!parent) return;
            expect(inside(parent.rect, box.rect)).toBe(true);
            expect(parent.caption.h === 0 || apart(parent.caption, box.rect)).toBe(true);
            for (const other of layout.boxes) {
              if (other.area.parent === box.area.parent && other !== box)
                expect(apart(other.rect, box.rect)).toBe(true);
            }
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has tokens of 40 pixels and captions for eight CPUs in half of a laptop', () => {
    const layout = laid('desktop', 380, 204);
    for (const slot of layout.slots) {
      expect(slot.density).toBe('full');
      expect(slotParts(slot.rect, slot.density).token.w).toBeGreaterThanOrEqual(40);
    }
    const cores = layout.boxes.filter((b) => b.area.ids.core !== undefined);
    expect(cores).toHaveLength(4);
    expect(cores.every((b) => b.caption.h > 14)).toBe(true);
    expect(layout.line.h).toBe(28);
  });

  it('leaves distinguishable tokens on a large machine in half a page', () => {
    const layout = laid('chiplets', 480, 460);
    expect(layout.slots).toHaveLength(192);
    for (const slot of layout.slots)
      expect(slotParts(slot.rect, slot.density).token.w).toBeGreaterThanOrEqual(7);
  });

  it('puts siblings side by side in one core', () => {
    const layout = laid('desktop', 700, 500);
    const [a, b] = [layout.slots[1], layout.slots[5]];
    expect(a?.core).toBe(b?.core);
    expect(a?.rect.y).toBe(b?.rect.y);
  });

  // A page of 1024 × 768 whose text is drawn at 20 px instead of 12, with and without answers beside the machine.
  it.each([
    ['k8x4', 60, 996, 200],
    ['k8x4', 60, 608, 200],
    ['v890', 40, 996, 170],
  ] as const)('%s has tokens of at least %i px in front of a class', (id, px, width, height) => {
    const zoom = 20 / 12;
    const tree = catalog.machines.find(({ spec }) => spec.id === id)?.tree;
    if (!tree) throw new Error('no machine');
    const size = { width: width / zoom, height: height / zoom };
    const { slots } = layoutMachine(areasOf(tree), size, true);
    for (const { rect, density } of slots)
      expect(slotParts(rect, density).token.w * zoom).toBeGreaterThanOrEqual(px);
  });

  it('is the same for the same space', () => {
    expect(laid('ccx', 640, 480)).toEqual(laid('ccx', 640, 480));
  });
});

describe('slotParts', () => {
  it('keeps token and bar apart, and both inside', () => {
    for (const [w, h] of [
      [24, 26],
      [34, 60],
      [84, 56],
      [150, 66],
      [300, 120],
    ] as const) {
      const rect = { x: 10, y: 20, w, h };
      const { token, bar, pocket } = slotParts(rect, 'full');
      for (const part of [token, bar, pocket]) expect(inside(rect, part)).toBe(true);
      expect(apart(token, bar)).toBe(true);
      expect(apart(pocket, bar)).toBe(true);
      // A slot that is far from square has room beside the token or below it.
      if (Math.abs(w - h) > 24) expect(apart(token, pocket)).toBe(true);
    }
  });
});
