import { describe, expect, it } from 'vitest';
import { BORDER, modulesOf } from './qr';

const cells = (text: string) => {
  const code = modulesOf(text);
  return code && code.size - 2 * BORDER;
};

describe('codes', () => {
  it('have 25 cells for the short link of a scenario', () => {
    expect(cells('https://example.org/#s.bfs-smt')).toBe(25);
  });
  it('are there for every link of 250 characters, with 57 cells at most', () => {
    expect(cells('x'.repeat(78))).toBe(33);
    expect(cells('x'.repeat(250))).toBe(57);
    expect(cells('x'.repeat(272))).toBeNull();
  });
});
