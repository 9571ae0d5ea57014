import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import { changesOf, nameOfRun, tellChanges } from './changed';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 'bfs-smt')?.scenario as Scenario;

describe('what was changed', () => {
  it('is empty for the scenario that was opened, however it was written', () => {
    expect(changesOf(base, base, catalog)).toEqual([]);
    expect(changesOf(structuredClone(base), base, catalog)).toEqual([]);
  });

  it('names machines and schedulers as people do, and leaves out settings that went with them', () => {
    const changed = { ...base, machine: 'v890', schedulers: base.schedulers.slice(0, 1), ask: '' };
    const machine = catalog.machines.find((m) => m.spec.id === 'v890')?.spec.name ?? '';
    expect(changesOf(changed, base, catalog).toSorted()).toEqual(
      [
        expect.stringContaining(`machine ${machine} (was `) as unknown as string,
        expect.stringMatching(/^schedulers BFS 0.318 \(was BFS 0.318, /) as unknown as string,
      ].toSorted(),
    );
  });

  it('is two phrases and a count of the rest', () => {
    expect(tellChanges([])).toBe('');
    expect(tellChanges(['a', 'b'])).toBe('a; b');
    expect(tellChanges(['a', 'b', 'c', 'd'])).toBe('a; b; 2 more');
  });

  it('becomes part of every name', () => {
    expect(nameOfRun('Four jobs', [])).toBe('Four jobs');
    expect(nameOfRun('Four jobs', ['seed 5'])).toBe('changed from “Four jobs” (seed 5)');
  });
});
