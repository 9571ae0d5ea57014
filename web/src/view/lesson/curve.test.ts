import { describe, expect, it } from 'vitest';
import type { Axis } from '../../sim/types/Axis';
import { BOX, flat, moved, nearest, valueAt, xOf, yOf } from './curve';

const straight: Axis = { label: 'cost', unit: 'us', log: false, min: 0, max: 4 };
const steep: Axis = { label: 'threads', unit: '', log: true, min: 1, max: 5000 };

describe('a drawn line', () => {
  it.each([straight, steep])('has its ends at the ends of the axis', (axis) => {
    expect(yOf(axis, axis.min)).toBeCloseTo(BOX.height - BOX.bottom, 5);
    expect(yOf(axis, axis.max)).toBeCloseTo(BOX.top, 5);
    expect(xOf(axis, axis.min)).toBeCloseTo(BOX.left, 5);
    expect(xOf(axis, axis.max)).toBeCloseTo(BOX.width - BOX.right, 5);
  });

  it.each([straight, steep])('gives the value of a drawn point', (axis) => {
    for (const part of [0, 0.2, 0.5, 0.9, 1]) {
      const y = BOX.top + part * (BOX.height - BOX.top - BOX.bottom);
      const value = valueAt(axis, y);
      expect(Math.abs(yOf(axis, value) - y)).toBeLessThan(1);
    }
  });

  it('moves by keys, and never beyond its axis', () => {
    expect(moved(straight, 2, 1)).toBeGreaterThan(2);
    expect(moved(straight, 2, -1)).toBeLessThan(2);
    expect(moved(straight, 4, 10)).toBe(4);
    expect(moved(straight, 0, -10)).toBe(0);
    expect(moved(steep, 100, 1)).toBeGreaterThan(100);
  });

  it('begins flat, and finds the handle next to the pointer', () => {
    expect(flat(straight, 5)).toEqual([2, 2, 2, 2, 2]);
    const at = [1, 10, 100, 1000, 5000];
    expect(nearest(steep, at, xOf(steep, 100) + 3)).toBe(2);
    expect(nearest(steep, at, 0)).toBe(0);
  });
});
