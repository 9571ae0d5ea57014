import { describe, expect, it } from 'vitest';
import type { Slice } from '../../../../sim/history';
import { walk } from './choose';

const slice = (from: number, to: number): Slice => ({
  from,
  to,
  task: 1,
  decision: 0,
  also: 0,
  cost: { lockNs: 0, switchNs: 0, refillNs: 0 },
});
const SLICES = [[slice(0, 100), slice(100, 150), slice(150, Infinity)], [slice(0, Infinity)]];
const VIEW = { fromNs: 0, spanNs: 200 };
const go = (key: string, from: { cpu: number; ns: number } | null, slices = SLICES) =>
  walk(key, from, [1, 0], slices, VIEW, 180);

describe('walking over a timeline', () => {
  it('begins in its middle, at the first row', () => {
    expect(go('ArrowDown', null)).toEqual({ cpu: 1, ns: 100 });
  });

  it('goes from row to row as they are drawn, and stops at the last', () => {
    expect(go('ArrowDown', { cpu: 1, ns: 50 })).toEqual({ cpu: 0, ns: 50 });
    expect(go('ArrowDown', { cpu: 0, ns: 50 })).toEqual({ cpu: 0, ns: 50 });
    expect(go('ArrowUp', { cpu: 0, ns: 50 })).toEqual({ cpu: 1, ns: 50 });
  });

  it('goes from slice to slice, to the beginning of each', () => {
    expect(go('PageDown', { cpu: 0, ns: 20 })).toEqual({ cpu: 0, ns: 100 });
    expect(go('PageDown', { cpu: 0, ns: 100 })).toEqual({ cpu: 0, ns: 150 });
    expect(go('PageDown', { cpu: 0, ns: 150 })).toEqual({ cpu: 0, ns: 150 });
    expect(go('PageUp', { cpu: 0, ns: 150 })).toEqual({ cpu: 0, ns: 100 });
  });

  it('moves by a part of the window where single slices are not known', () => {
    expect(walk('PageDown', { cpu: 0, ns: 100 }, [0], null, VIEW, 180)).toEqual({
      cpu: 0,
      ns: 105,
    });
  });

  it('leaves other keys alone', () => {
    expect(go('ArrowLeft', null)).toBeNull();
  });
});
