import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { machineOf, planOf, questionOf, schedulersOf, treeOf, windowOf } from './plans';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;

describe('Start’s plan of a shipped scenario', () => {
  it.each(CATALOG.scenarios)('exists for $id', (entry) => {
    const { scenario } = entry;
    const plan = planOf(entry);
    // The core runs its first lane alone.
    expect(checked(plan.scenario).errors).toEqual([]);
    expect(plan.scenario.schedulers).toHaveLength(1);
    expect(plan.at === 'opening' || (plan.at > 0 && plan.at <= scenario.end.atNs)).toBe(true);
    expect(plan.speed).toBeGreaterThan(0);
    // The drawing shows the moment itself, not the second before it.
    expect((plan.on ?? 0) > plan.speed).toBe(plan.at === 'opening');
    expect(windowOf(scenario)).toBeGreaterThan(0);
    expect(treeOf(scenario, CATALOG)).not.toBeNull();
    expect(questionOf(scenario)).toMatch(/\?$/);
    expect(machineOf(scenario, CATALOG)).not.toBe(scenario.machine);
    expect(schedulersOf(scenario, CATALOG)).not.toBe('');
  });

  it('is its name if it has no question', () => {
    const [first] = CATALOG.scenarios;
    if (!first) throw new Error('no scenario');
    expect(questionOf({ ...first.scenario, ask: '' })).toBe(first.scenario.name);
  });
});

describe('a described machine', () => {
  it.each(CATALOG.machines)('is drawn as the core has it: $spec.id', ({ spec, tree }) => {
    const [scenario] = CATALOG.scenarios.map((entry) => entry.scenario);
    if (!scenario) throw new Error('no scenario');
    expect(treeOf({ ...scenario, machine: spec }, CATALOG)).toEqual({ ...tree, caches: [] });
  });
});
