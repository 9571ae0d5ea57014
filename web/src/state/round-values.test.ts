import { describe, expect, it } from 'vitest';
import { proposedEnds, type Ranged, roundBetween, type Roundness } from './round-values';

const of = (roundness: Roundness, now: number, min: number, max: number): Ranged => ({
  roundness,
  now,
  min,
  max,
});
const proposed = (r: Ranged, n = 8) => roundBetween(...proposedEnds(r), n, r);

/** Whether a value is 1, 2 or 5 times a power of ten or a multiple of such a step, or a power of two. */
function isRound(value: number, { roundness }: Ranged, n: number): boolean {
  const size = Math.abs(value);
  if (size === 0) return true;
  if (roundness === 'powers') return Number.isInteger(Math.log2(size));
  const digits = String(size).replace(/0+$/, '');
  if (roundness === 'steps') return digits.length <= (n > 8 ? 3 : 2);
  // A range of few factors is cut into equal steps.
  return digits.length <= (n > 8 ? 2 : 1) || size < 20;
}

describe('proposed values', () => {
  it.each([
    ['threads', of('steps', 4, 1, 5000), [1, 2, 3, 4, 5, 6, 7, 8]],
    ['many threads', of('steps', 17, 1, 5000), [1, 10, 17, 20, 30, 40, 50]],
    ['nice', of('steps', 0, -20, 20), [-20, -10, 0, 10, 20]],
    ['nice that is not round', of('steps', 3, -20, 20), [-20, -10, 0, 3, 10, 20]],
    ['a small tunable', of('steps', 0, -1, 1000), [-1, 0, 1, 2, 3, 4, 5, 6]],
    ['by factors', of('factors', 100, 1, 1e6), [10, 20, 50, 100, 200, 500, 1000]],
    ['by factors, not round', of('factors', 127, 1, 1e6), [20, 50, 100, 127, 200, 500, 1000]],
    ['by factors, at the lower end', of('factors', 1, 1, 1e6), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['bytes', of('powers', 16_384, 1, 2 ** 36), [11, 12, 13, 14, 15, 16, 17].map((e) => 2 ** e)],
    ['bytes, none', of('powers', 0, 0, 2 ** 36), [0, 1, 2, 4, 8]],
  ] as const)('%s', (_, r, values) => {
    expect(proposed(r, values.length > 8 ? 10 : 8)).toEqual(values);
  });
  it('contain the present value and are round, whichever property is varied', () => {
    const roundnesses = ['steps', 'factors', 'powers'] as const;
    for (const roundness of roundnesses)
      for (const [min, max] of [
        [0, 1000],
        [1, 5000],
        [-20, 20],
        [0, 2 ** 36],
        [3, 90],
      ] as const)
        for (const now of [-20, 0, 1, 3, 7, 16, 63, 90, 127, 999, 4096, 65_537])
          for (const n of [2, 3, 5, 8, 20, 50]) {
            if (now < min || now > max || (now < 0 && roundness !== 'steps')) continue;
            const r = of(roundness, now, min, max);
            const values = proposed(r, n);
            const why = JSON.stringify({ ...r, n, values });
            expect(values, why).toContain(now);
            expect(values.length, why).toBeGreaterThanOrEqual(2);
            expect(values.length, why).toBeLessThanOrEqual(Math.max(3, n));
            expect(new Set(values).size, why).toBe(values.length);
            for (const v of values) {
              expect(v >= min && v <= max, why).toBe(true);
              const isEnd = roundness === 'steps' && max - min <= 40;
              expect(v === now || isEnd || isRound(v, r, n), `${String(v)} ${why}`).toBe(true);
            }
          }
  });
  it('between chosen ends contain both ends, and the present value if it lies between', () => {
    expect(roundBetween(3, 17, 8, of('steps', 4, 1, 100))).toEqual([3, 4, 5, 10, 15, 17]);
    expect(roundBetween(3, 17, 3, of('steps', 40, 1, 100))).toEqual([3, 10, 17]);
    expect(roundBetween(17, 3, 2, of('steps', 40, 1, 100))).toEqual([3, 17]);
    expect(roundBetween(1, 1e12, 5, of('factors', 40, 1, 1e12))).toEqual([1, 40, 1e4, 1e8, 1e12]);
    expect(roundBetween(5, 5, 8, of('steps', 5, 1, 100))).toEqual([5]);
  });
});
