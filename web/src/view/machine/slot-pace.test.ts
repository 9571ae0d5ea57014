import { describe, expect, it } from 'vitest';
import type { Placed } from './placed';
import { SlotPace } from './slot-pace';

const at = (task: number, kind: Placed['kind'] = 'slot'): Placed[] =>
  task < 0 ? [] : [{ task, kind, cpu: 1, x: 0, y: 0, size: 10 }];

/** The regime of CPU 1's slot with these threads at these times. */
function shown(pictures: readonly (readonly [number, number])[], flightMs = 0): boolean[] {
  const pace = new SlotPace();
  return pictures.map(([ms, task]) => {
    pace.notice(at(task), 2, ms, flightMs);
    return pace.isRapid(1);
  });
}

describe('SlotPace', () => {
  it('a slot shows two changes in a second as tokens, the third one as bands', () => {
    expect(
      shown([
        [0, 5],
        [300, 6],
        [600, 5],
        [900, 7],
      ]),
    ).toEqual([false, false, false, true]);
  });

  it('a slot that is empty for a moment counts as a change, too', () => {
    expect(
      shown([
        [0, 5],
        [10, -1],
        [20, 5],
        [30, -1],
      ]),
    ).toEqual([false, false, false, true]);
  });

  it('a flight changes a slot twice: a token leaves, another arrives', () => {
    const twice = [
      [0, 5],
      [300, 6],
      [600, 5],
    ] as const;
    expect(shown(twice)).toEqual([false, false, false]);
    // 5 arrives at 0.6 s, leaves at 2 s, and 6 arrives at 2.6 s: a switch before 3.6 s would be one too many.
    const flown = [
      [0, 5],
      [2000, 6],
      [3000, 5],
      [3010, 5],
    ] as const;
    expect(shown(flown, 600)).toEqual([false, false, true, true]);
  });

  it('a slot shows tokens again after a whole second without a change', () => {
    const pictures = [
      [0, 5],
      [10, 6],
      [20, 7],
      [900, 8],
      [1030, 8],
      [1899, 8],
      [1900, 8],
    ] as const;
    expect(shown(pictures)).toEqual([false, false, false, true, true, true, false]);
  });

  it('a slot flashed a token between two bands', () => {
    // Calm at 1900 ms, then changes again. That makes three: the bands that may just have been renewed, the token,
    // and bands again.
    const pictures = [
      [0, 5],
      [10, 6],
      [20, 7],
      [900, 8],
      [1850, 8],
      [1900, 8],
      [1950, 5],
      [2890, 5],
    ] as const;
    expect(shown(pictures)).toEqual([false, false, false, true, true, false, true, true]);
  });

  it('waiting threads change nothing in a slot, and after a jump nothing has changed', () => {
    const pace = new SlotPace();
    for (let i = 0; i < 9; i++) pace.notice(at(i, 'queue'), 2, i, 0);
    expect(pace.isRapid(1)).toBe(false);
    for (let i = 0; i < 9; i++) pace.notice(at(i), 2, i, 0);
    expect(pace.isRapid(1)).toBe(true);
    pace.reset();
    pace.notice(at(1), 2, 10, 0);
    expect(pace.isRapid(1)).toBe(false);
  });
});
