import { describe, expect, it } from 'vitest';
import { cardAfter } from './walk';

/** Three in a row, two below them, and one at the end that is as wide as the page. */
const rects = [
  { x: 0, y: 0, w: 90, h: 100 },
  { x: 100, y: 0, w: 90, h: 100 },
  { x: 200, y: 0, w: 90, h: 100 },
  { x: 0, y: 120, w: 90, h: 100 },
  { x: 100, y: 120, w: 90, h: 100 },
  { x: 0, y: 300, w: 290, h: 50 },
];

describe('arrows on cards', () => {
  it.each([
    [0, 'ArrowRight', 1],
    [2, 'ArrowRight', 3],
    [5, 'ArrowRight', null],
    [3, 'ArrowLeft', 2],
    [0, 'ArrowLeft', null],
    [1, 'ArrowDown', 4],
    // There is no card right below the third.
    [2, 'ArrowDown', 4],
    [4, 'ArrowDown', 5],
    [5, 'ArrowDown', null],
    [5, 'ArrowUp', 4],
    [3, 'ArrowUp', 0],
    [1, 'ArrowUp', null],
    [1, 'Enter', null],
    [9, 'ArrowDown', null],
  ])('from card %i with %s to %s', (at, key, to) => {
    expect(cardAfter(rects, at, key)).toBe(to);
  });
});
