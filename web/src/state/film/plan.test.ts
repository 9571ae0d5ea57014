import { describe, expect, it } from 'vitest';
import { MS, SEC } from '../../lib/units';
import { type FilmPlan, filmSeconds, frameCount, frameNs, frameUs, problemOf } from './plan';

const plan = (change: Partial<FilmPlan> = {}): FilmPlan => ({
  fromNs: 8 * MS,
  spanNs: 40 * MS,
  speed: 20 * MS,
  fps: 30,
  ...change,
});

describe('the pictures of a film', () => {
  it('are as many as fit into its length', () => {
    expect(frameCount(plan())).toBe(60);
    expect(filmSeconds(plan())).toBe(2);
    expect(frameCount(plan({ fps: 20 }))).toBe(40);
    expect(frameCount(plan({ speed: 10 * MS }))).toBe(120);
    // A whole number of pictures, and at least one.
    expect(frameCount(plan({ spanNs: 40 * MS + 300_000 }))).toBe(60);
    expect(frameCount(plan({ spanNs: 1 }))).toBe(1);
  });

  it('have times that are whole, equally far from each other, and never past the end', () => {
    const of = plan({ speed: 10 * SEC, spanNs: 4 * SEC, fps: 30 });
    const times = Array.from({ length: frameCount(of) }, (_, i) => frameNs(of, i));
    expect(times).toHaveLength(12);
    expect(times[0]).toBe(of.fromNs);
    expect(times.every((ns) => Number.isSafeInteger(ns))).toBe(true);
    expect(times.at(-1)).toBeLessThan(of.fromNs + of.spanNs);
    // Each a third of a second apart; the remainders do not add up.
    expect(times[3]).toBe(of.fromNs + SEC);
    times.slice(1).forEach((ns, i) => {
      expect(Math.abs(ns - (times[i] ?? 0) - SEC / 3)).toBeLessThan(1);
    });
  });

  it('are seen at regular times', () => {
    expect([0, 1, 2, 3, 30].map((i) => frameUs(plan(), i))).toEqual([
      0, 33_333, 66_667, 100_000, 1_000_000,
    ]);
  });
});

describe('the problem with a plan', () => {
  it('names the field and the allowed range', () => {
    expect(problemOf(plan(), SEC)).toBeNull();
    expect(problemOf(plan({ fromNs: -1 }), SEC)).toMatch(/^From: 0 to 1\.00 s/);
    expect(problemOf(plan({ fromNs: Number.NaN }), SEC)).toMatch(/^From/);
    expect(problemOf(plan({ spanNs: 0 }), SEC)).toMatch(/^To/);
    expect(problemOf(plan({ spanNs: SEC }), SEC)).toMatch(/^To: .*1\.00 s/);
    expect(problemOf(plan({ speed: 0 }), SEC)).toMatch(/^Speed: .*µs.*s/);
    expect(problemOf(plan({ spanNs: SEC / 2, speed: 1_000 }), SEC)).toMatch(
      /pictures are too many/,
    );
  });
});
