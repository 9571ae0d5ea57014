import { describe, expect, it } from 'vitest';
import { SHAPES, specOf } from '../../sim/test-machines';
import { cacheSizes, fitsInto } from './machine';

const KIB = 1024;
const hybrid = specOf(SHAPES['hybrid'] ?? { cores: [] });

describe('cacheSizes', () => {
  it('names each level once, innermost first', () => {
    expect(cacheSizes(hybrid)).toEqual([
      { level: 1, bytes: 32 * KIB },
      { level: 2, bytes: 2048 * KIB },
      { level: 3, bytes: 30 * 1024 * KIB },
    ]);
  });
});

describe('fitsInto', () => {
  it('is the first cache that is large enough', () => {
    expect(fitsInto(hybrid, 32 * KIB)?.level).toBe(1);
    expect(fitsInto(hybrid, 33 * KIB)?.level).toBe(2);
    expect(fitsInto(hybrid, 31 * 1024 * KIB)).toBeNull();
  });
});
