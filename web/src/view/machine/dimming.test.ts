import { expect, it } from 'vitest';
import { Dimming } from './dimming';

it('a machine is dim, or bright again, for a second at least while time runs', () => {
  const dimming = new Dimming();
  const at = (ms: number, wanted: readonly number[] | null, isStill = false) =>
    dimming.at(wanted, ms, isStill);
  expect(at(0, null)).toBeNull();
  expect(at(100, [1])).toEqual([1]);
  // It ends soon, and another begins.
  expect(at(300, null)).toEqual([1]);
  expect(at(400, [2])).toEqual([2]);
  expect(at(500, null)).toEqual([2]);
  expect(at(1100, null)).toBeNull();
  expect(at(1200, [3])).toBeNull();
  expect(at(2100, [3])).toEqual([3]);
  // Pause shows what is so.
  expect(at(2200, null, true)).toBeNull();
});
