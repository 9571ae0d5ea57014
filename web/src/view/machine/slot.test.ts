import { describe, expect, it } from 'vitest';
import { numberAt, slotParts } from './slot';

const at = (w: number, h: number) => {
  const rect = { x: 0, y: 0, w, h };
  return numberAt(rect, slotParts(rect, 'full'), 7, 12);
};

describe('the number of a CPU', () => {
  it('stands above the token, below it where the pocket takes that room, or nowhere', () => {
    expect(at(48, 120)?.y).toBeLessThan(12);
    // The slots of eight CPUs in three lanes at 1280 px.
    const below = at(46, 70);
    const { token, bar } = slotParts({ x: 0, y: 0, w: 46, h: 70 }, 'full');
    expect(below?.y).toBeGreaterThan(token.y + token.h + 4);
    expect(below?.y).toBeLessThan(bar.y - 4);
    expect(at(46, 66)?.y).toBeLessThan(12);
    expect(at(36, 43)).toBeNull();
  });
});
