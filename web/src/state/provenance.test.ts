import { describe, expect, it } from 'vitest';
import sources from '../../../scenarios/sources.json';
import { setAt } from '../lib/paths';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import { ownCopy } from './machine/machine-edit';
import { fit, knownOf, type Sources } from './provenance';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const presets = catalog.machines.map((m) => m.spec);
const known = sources as unknown as Sources;

/** Paths of all numbers of a value. */
function numbers(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, item]) => numbers(item, [...path, key]));
}

describe('the sources of machine numbers', () => {
  it.each([
    ['caches', 'caches[1].linePs', 6],
    ['caches[].linePs', 'caches[1].linePs', 15],
    ['caches[].linePs', 'caches[1].bytes', 0],
    ['costs.lineTransferNs', 'costs.lineTransferFarNs', 0],
    ['costs.line', 'costs.lineTransferNs', 0],
    ['', 'year', 0],
  ])('%s fits %s', (field, path, length) => {
    expect(fit(field, path)).toBe(length);
  });
  it.each(presets.map((p) => [p.id, p] as const))('%s: each written number has one', (id, spec) => {
    // Numbers that the core fills in are explained in the description of the model.
    const unsaid = numbers(spec).filter((path) => !knownOf(spec, path, presets, known));
    expect(
      unsaid.map((path) => path.join('.')).filter((p) => !/portMilli|speedMilli/.test(p)),
    ).toEqual([]);
    expect(known[id]?.length).toBeGreaterThan(3);
  });
  it('of an edited machine are those of its preset until its numbers are changed', () => {
    const preset = presets.find((p) => p.id === 'v890');
    if (!preset) throw new Error('v890 is shipped');
    const path = ['costs', 'switchNs'];
    const mine = ownCopy(preset);
    expect(knownOf(mine, path, presets, known)).toEqual(knownOf(preset, path, presets, known));
    const changed = setAt(mine, path, 7);
    expect(knownOf(changed, path, presets, known)).toMatchObject({
      mark: 'assumed',
      source: expect.stringMatching(/^Set by hand\. .+ has \d+\.$/) as string,
    });
  });
});
