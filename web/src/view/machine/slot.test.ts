import { describe, expect, it } from 'vitest';
import { numberAt, slotParts } from './slot';

const at = (w: number, h: number) => {
  const rect = { x: 0, y: 0, w, h };
  return numberAt(rect, slotParts(rect, 'full'), 7, 12);
};

describe('the number of a CPU', () => {
  it('stands above the token, below it where the pocket takes that room, else in the line of the bar', () => {
    expect(at(48, 120)?.y).toBeLessThan(12);
    // The slots of eight CPUs in three lanes at 1280 px.
    const below = at(46, 70);
    const { token, bar } = slotParts({ x: 0, y: 0, w: 46, h: 70 }, 'full');
    expect(below?.y).toBeGreaterThan(token.y + token.h + 4);
    expect(below?.y).toBeLessThan(bar.y - 4);
    expect(at(46, 66)?.y).toBeLessThan(12);
    expect(at(24, 24)).toBeNull();
  });

  it('in the line of the bar shortens the bar and leaves the token alone', () => {
    for (const [w, h] of [
      [36, 43],
      [43, 56],
      [48, 58],
      [60, 60],
    ] as const) {
      const { token, bar } = slotParts({ x: 0, y: 0, w, h }, 'full');
      const place = at(w, h);
      expect(place, `${String(w)} × ${String(h)}`).not.toBeNull();
      if (!place || place.barW === bar.w) continue;
      // Digits of 12 px are 9 px high, and 7 px wide here.
      expect(place.y - 4.5).toBeGreaterThanOrEqual(token.y + token.h);
      expect(place.y + 4.5).toBeLessThanOrEqual(h);
      expect(bar.x + place.barW).toBeLessThan(place.x - 7);
    }
  });
});
