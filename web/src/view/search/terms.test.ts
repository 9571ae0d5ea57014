import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { allFindings, termsOf } from './entries';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;

describe('terms', async () => {
  const all = termsOf(await allFindings());

  it('name shipped scenarios', () => {
    const ids = CATALOG.scenarios.map(({ id }) => id);
    for (const { word, seenIn } of all) expect(ids, word).toContain(seenIn);
  });
  it('are told once', () => {
    const words = all.map(({ word }) => word);
    expect(new Set(words).size).toBe(words.length);
  });
});
