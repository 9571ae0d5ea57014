import { describe, expect, it } from 'vitest';
import { Difference } from './difference';
import { TRAIL } from './trail';

/** Rows of `TRAIL`: one record each microsecond. */
function rows(from: number, count: number, cpu = 0): Float64Array {
  const all = new Float64Array(count * TRAIL.length);
  for (let i = 0; i < count; i++) {
    all[i * TRAIL.length + TRAIL.indexOf('seq')] = from + i;
    all[i * TRAIL.length + TRAIL.indexOf('atNs')] = (from + i) * 1000;
    all[i * TRAIL.length + TRAIL.indexOf('cpu')] = cpu;
  }
  return all;
}

const NOTHING = rows(0, 0);

describe('the difference of two lanes', () => {
  it('is the first record that differs, however the records come', () => {
    const difference = new Difference();
    difference.take(rows(0, 5), NOTHING);
    difference.take(rows(5, 5), rows(0, 3));
    difference.take(NOTHING, rows(3, 6));
    expect(difference.foundNs).toBeNull();
    difference.take(NOTHING, rows(9, 1, 2));
    expect(difference.foundNs).toBe(9_000);
    difference.restart();
    expect(difference.foundNs).toBeNull();
  });

  it('is the first record that a lane which has ended lacks; no more than that is kept of the other', () => {
    const difference = new Difference();
    difference.take(rows(0, 10), NOTHING);
    let from = 0;
    for (; from < 1_000_000 && difference.foundNs === null; from += 20_000)
      difference.take(NOTHING, rows(from, 20_000));
    expect(difference.foundNs).toBe(10_000);
    expect(from).toBeLessThan(300_000);
  });
});
