import { describe, expect, it } from 'vitest';
import { limitParts, tokenGrid } from './limit-box';

describe('the box of a control group', () => {
  it.each([
    [220, 56],
    [330, 70],
    [600, 104],
  ])('has its parts beside each other in %i × %i', (w, h) => {
    const { ring, words, tokens } = limitParts({ x: 10, y: 20, w, h });
    expect(ring.x - ring.r).toBeGreaterThan(10);
    expect(ring.y - ring.r).toBeGreaterThanOrEqual(20);
    expect(words.x).toBeGreaterThan(ring.x + ring.r);
    expect(tokens.x).toBeGreaterThan(words.x + words.w);
    expect(tokens.x + tokens.w).toBeLessThan(10 + w);
  });

  it('has its threads as large as they may be, and none outside', () => {
    const rect = { x: 0, y: 0, w: 200, h: 60 };
    for (const count of [1, 3, 4, 9, 40]) {
      const { size, places } = tokenGrid(rect, count);
      expect(places.length).toBe(Math.min(count, 12));
      for (const { x, y } of places) {
        expect(x - size / 2).toBeGreaterThanOrEqual(0);
        expect(x + size / 2).toBeLessThanOrEqual(200.01);
        expect(y - size / 2).toBeGreaterThanOrEqual(0);
        expect(y + size / 2).toBeLessThanOrEqual(60.01);
      }
    }
    expect(tokenGrid(rect, 3).size).toBe(58);
    expect(tokenGrid(rect, 0).places).toEqual([]);
  });
});
