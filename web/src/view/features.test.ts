import { describe, expect, it } from 'vitest';
import type { Feature } from './feature';
import { FEATURES } from './features';

const found = import.meta.glob<Record<string, Feature>>('./*/feature.ts', { eager: true });

describe('the features of the page', () => {
  it.each(Object.entries(found))('%s is on the list, under the name of its folder', (file, all) => {
    const [feature] = Object.values(all);
    expect(FEATURES.filter((one) => one === feature)).toHaveLength(1);
    expect(file).toBe(`./${String(feature?.id)}/feature.ts`);
  });

  it('are there without each other: none brings what another does', () => {
    const tabs = FEATURES.flatMap(({ share }) => share?.map(({ name }) => name) ?? []);
    const places = FEATURES.flatMap(({ page }) => page?.at ?? []);
    expect(new Set(tabs).size).toBe(tabs.length);
    expect(new Set(places).size).toBe(places.length);
  });
});
