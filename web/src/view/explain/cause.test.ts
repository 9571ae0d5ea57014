import { describe, expect, it } from 'vitest';
import type { Slice, Wake } from '../../sim/history';
import { UNKNOWN } from '../../sim/trace';
import { displacedBefore } from './cause';

const slice = (task: number, from: number, to: number, decision = 7): Slice => ({
  ...{ from, to, task, decision, also: -1 },
  cost: { switchNs: 0, lockNs: 0 } as unknown as Slice['cost'],
});

describe('the first cause of a move', () => {
  it('is who took the CPU that the thread had', () => {
    const slices = [[slice(2, 0, 52), slice(9, 52, 53, 41)], [slice(1, 0, Infinity)]];
    expect(displacedBefore({ slices, wakes: [] }, 2, 53)).toEqual({ cpu: 0, by: 9, decision: 41 });
  });

  it('is the last of several', () => {
    const slices = [
      [slice(2, 0, 10), slice(9, 10, 11, 41)],
      [slice(2, 12, 50), slice(8, 50, 51, 42)],
    ];
    expect(displacedBefore({ slices, wakes: [] }, 2, 51)?.decision).toBe(42);
    expect(displacedBefore({ slices, wakes: [] }, 2, 12)?.decision).toBe(41);
  });

  it('is none if the thread left by itself, had not run, or nothing is known of who came', () => {
    const none = (...slices: Slice[][]) => displacedBefore({ slices, wakes: [] }, 2, 61);
    expect(none([slice(2, 0, 52), slice(-1, 52, 60), slice(9, 60, 61)])).toBeNull();
    expect(none([slice(1, 0, 52)])).toBeNull();
    expect(none([slice(2, 0, 52), slice(9, 52, 53, UNKNOWN)])).toBeNull();
    expect(none([slice(2, 0, 52)])).toBeNull();
  });

  it('is none if the thread went to sleep, though another one took its CPU at once', () => {
    const slices = [[slice(2, 0, 52), slice(9, 52, 60, 41)]];
    const woken = (atNs: number) => [{ atNs, task: 2, cpu: -1, to: -1, decision: 7 }] as Wake[];
    expect(displacedBefore({ slices, wakes: woken(58) }, 2, 58)).toBeNull();
    expect(displacedBefore({ slices, wakes: woken(40) }, 2, 58)?.by).toBe(9);
  });
});
