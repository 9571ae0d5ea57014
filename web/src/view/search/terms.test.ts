import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { TERMS } from './terms';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;

describe('terms', () => {
  it('name shipped scenarios', () => {
    const ids = CATALOG.scenarios.map(({ id }) => id);
    for (const { word, seenIn } of TERMS) expect(ids, word).toContain(seenIn);
  });
  it('are told once', () => {
    const words = TERMS.map(({ word }) => word);
    expect(new Set(words).size).toBe(words.length);
  });
});
