import { describe, expect, it } from 'vitest';
import { digitsAfter, figures, shortest, three } from './figures';

describe('the digits of a number', () => {
  it.each([
    [1234567, 0, '1\u202f234\u202f567'],
    [1234.5678, 2, '1\u202f234.57'],
    [999.96, 1, '1\u202f000.0'],
    [-1234, 0, '−1\u202f234'],
    [-0.4, 0, '0'],
    [-0, 2, '0.00'],
  ])('of %s with %s behind the point', (value, after, text) => {
    expect(figures(value, after)).toBe(text);
  });

  it('stand side by side where thousands are not separated', () => {
    expect(figures(12345.6, 1, false)).toBe('12345.6');
  });

  it('are three that count, and all before the point', () => {
    expect([0.644, 9.994, 9.996, 12.34, 99.96, 1234.5].map(three)).toEqual([
      '0.64',
      '9.99',
      '10.0',
      '12.3',
      '100',
      '1\u202f235',
    ]);
    expect([0.5, -12, 100].map(digitsAfter)).toEqual([2, 1, 0]);
  });

  it('are as few as a round number has', () => {
    expect([0.1 + 0.2, 2000, -0.25].map(shortest)).toEqual(['0.3', '2000', '−0.25']);
  });
});
