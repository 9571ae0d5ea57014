import { describe, expect, it } from 'vitest';
import { OWN } from '../../sim/policy/own';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { loadedTexts, loadTexts, namesOf, queueOf, queues } from './folder';

await loadTexts();

// The core's build checks each row by itself (`sim-core/reasons`).
const catalog = JSON.parse(realCore.catalog()) as Catalog;
const tables = catalog.schedulers.map((s) => [s.id, s] as const);
const ids = [...tables.map(([id]) => id), OWN];

describe('what the page says about the schedulers', () => {
  it('is there for each, and for own policies', () => {
    expect(Object.keys(loadedTexts()).sort()).toEqual([...ids].sort());
    expect(ids).toEqual(expect.arrayContaining([...queues()]));
  });

  it.each(tables)('has for %s the reasons of the core, in its order', (id, { reasons }) => {
    expect(Object.keys(loadedTexts()[id] ?? {})).toEqual(reasons.map((r) => r.id));
  });

  it.each(tables)('offers for %s changes of tunables that it has', (id, { eras, reasons }) => {
    const tunables = eras.flatMap((era) => era.tunables.map((spec) => spec.id));
    const offered = reasons.flatMap((r) => namesOf(id, r.id).try?.tunable ?? []);
    expect(tunables).toEqual(expect.arrayContaining(offered));
  });

  it.each(tables)(
    'names for pictures of the queues of %s columns that there are',
    (id, { cpuColumns, taskColumns }) => {
      const {
        insertHand,
        removeHand,
        deadline,
        balanced,
        facts = [],
        threadFacts = [],
      } = queueOf(id);
      const given = (names: readonly (string | undefined)[]) =>
        names.filter((n) => n !== undefined);
      const cpu = cpuColumns.map((c) => c.id);
      const first = balanced?.replace('{level}', '0');
      expect(cpu).toEqual(expect.arrayContaining(given([insertHand, removeHand, first, ...facts])));
      expect(taskColumns.map((c) => c.id)).toEqual(
        expect.arrayContaining(given([deadline, ...threadFacts])),
      );
    },
  );
});
