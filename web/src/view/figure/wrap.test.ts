import { describe, expect, it, vi } from 'vitest';
import { wrapped } from './wrap';

const measure = (part: string) => part.length;

describe('lines of a picture', () => {
  it('break between words, and inside words that are too long', () => {
    expect(wrapped('one two three', 7, 3, measure)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4, 3, measure)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('short', 100, 3, measure)).toEqual(['short']);
    expect(wrapped('', 100, 3, measure)).toEqual([]);
  });

  it('end with dots where there is more', () => {
    expect(wrapped('x'.repeat(1000), 4, 2, measure)).toEqual(['xxxx', 'xxx…']);
  });

  it('never split a character', () => {
    const text = '😀'.repeat(40);
    for (let width = 1; width < 12; width++)
      expect(wrapped(text, width, 3, measure).join('')).toMatch(/^(😀)+…$/u);
  });

  it('fit as well as possible, at any width', () => {
    const text = 'x'.repeat(700);
    for (let width = 1; width <= 701; width++) {
      const [first = ''] = wrapped(text, width, 1, measure);
      expect(first.length).toBe(Math.min(700, width));
    }
  });

  it('measure parts of a link of 8 kB, a few times and never all of it', () => {
    const link = `https://host/#v=2&z=${'aB3-'.repeat(2000)}`;
    const told = vi.fn(measure);
    expect(wrapped(link, 90, 3, told)).toHaveLength(3);
    const letters = told.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    expect(told.mock.calls.length).toBeLessThan(50);
    expect(letters).toBeLessThan(link.length);
  });
});
