import { describe, expect, it } from 'vitest';
import type { Rect } from '../../lib/geom';
import { placesOf } from './layout';

const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.w - 1e-6 &&
  b.x < a.x + a.w - 1e-6 &&
  a.y < b.y + b.h - 1e-6 &&
  b.y < a.y + a.h - 1e-6;

describe('the places of a recorded stage', () => {
  const sizes = [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
    { width: 960, height: 540 },
  ];
  const all = sizes.flatMap((pixels) =>
    [1, 2, 3, 4].flatMap((lanes) => [1, 8, 64].map((cpus) => ({ pixels, lanes, cpus }))),
  );

  it.each(all)('lie in the picture and beside each other: %j', (stuff) => {
    const { width, height, ratio, lanes, axes, legendY, captionY } = placesOf(stuff);
    expect(width * ratio).toBeCloseTo(stuff.pixels.width);
    expect(height * ratio).toBeCloseTo(stuff.pixels.height);
    const rects = [...lanes.flatMap((l) => [l.head, l.machine, l.timeline]), ...axes];
    for (const r of rects) {
      expect(Math.min(r.x, r.y)).toBeGreaterThanOrEqual(0);
      expect(Math.min(r.w, r.h)).toBeGreaterThan(15);
      expect(r.x + r.w).toBeLessThanOrEqual(width);
      expect(r.y + r.h).toBeLessThan(legendY);
    }
    rects.forEach((a, i) => {
      for (const b of rects.slice(i + 1)) expect(overlap(a, b)).toBe(false);
    });
    expect(captionY[1]).toBeLessThan(height);
    // Canvases begin and end at whole pixels, so that nothing is blurred.
    for (const { machine } of lanes)
      for (const side of [machine.x, machine.y, machine.w, machine.h])
        expect(Math.abs(side * ratio - Math.round(side * ratio))).toBeLessThan(1e-6);
  });
});
