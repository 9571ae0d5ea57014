import { describe, expect, it } from 'vitest';
import { percent } from '../../lib/format';
import { ranked } from './bars';

/** Pseudo-random numbers with few distinct values, so that many are equal. */
function random(seed: number, values: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) % values;
}

describe('the worst', () => {
  const worst = (...shares: readonly number[]) =>
    ranked([...shares.keys()], shares, null)
      .above.filter((bar) => bar.isWorst)
      .map((bar) => percent(bar.share));

  it('has the colour of its number: equal numbers are equal in colour', () => {
    expect(worst(1, 1, 0.971, 0.969)).toEqual(['97 %', '97 %']);
    expect(worst(1, 0.996, 0.99, 0.96)).toEqual(['96 %']);
    expect(worst(0.5, 0.5)).toEqual([]);
  });

  it('is the exception: where most have the lowest number, none is marked', () => {
    expect(worst(1, 0.971, 0.969, 0.97)).toEqual([]);
  });
});

describe('the ranking of many', () => {
  it('has the best, the worst and the band that a full sort has', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed, 1 + (seed % 40));
      const tasks = Array.from({ length: 13 + (seed % 70) }, (_, i) => 3 * i);
      const shares = tasks.map(() => next() / 40);
      const before = tasks.filter((_, i) => i % 5 === seed % 5).reverse();
      const place = (task: number) =>
        before.includes(task) ? before.indexOf(task) : before.length + task;
      const sorted = tasks
        .map((task, i) => ({ task, share: shares[i] ?? 0 }))
        .sort((a, b) => b.share - a.share || place(a.task) - place(b.task));
      const { above, band, below } = ranked(tasks, shares, null, before);
      if ((sorted[3]?.share ?? 0) < 0.005) {
        expect([above.length, band?.threads, below.length]).toEqual([3, sorted.length - 3, 0]);
        continue;
      }
      const told = [...above, ...below].map(({ task, share }) => ({ task, share }));
      expect(told).toEqual([...sorted.slice(0, 3), ...sorted.slice(-5)]);
      const between = sorted.slice(3, -5).map(({ share }) => share);
      expect(band).toEqual({
        threads: between.length,
        least: Math.min(...between),
        most: Math.max(...between),
      });
      const isUneven = (sorted[0]?.share ?? 0) - (sorted.at(-1)?.share ?? 0) >= 0.01;
      const least = told.filter(({ share }) => percent(share) === percent(told.at(-1)?.share ?? 0));
      const marked = [...above, ...below].filter((bar) => bar.isWorst).map((bar) => bar.task);
      const isException = isUneven && 2 * least.length <= told.length;
      expect(marked).toEqual(isException ? least.map(({ task }) => task) : []);
    }
  });

  it('leaves out threads whose share is not known', () => {
    const tasks = Array.from({ length: 20 }, (_, i) => i);
    const shares = tasks.map((i) => (i % 4 === 0 ? Number.NaN : i / 20));
    const { above, band, below } = ranked(tasks, shares, null);
    expect(above.length + (band?.threads ?? 0) + below.length).toBe(15);
    expect([...above, ...below].map((bar) => bar.task)).not.toContain(0);
  });
});
