import { describe, expect, it } from 'vitest';
import { OWN } from '../../sim/policy/own';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { folderOf, folders, loadTexts, moverOf } from './folder';
import { namesIn } from './template';

await loadTexts();

// The core lists the reasons; a second list in this test could be wrong in the same way as the folders.
const catalog = JSON.parse(realCore.catalog()) as Catalog;
const movers = ['wake', 'pick', 'steal', 'balance', 'forced', 'random', 'other'];
const tables = catalog.schedulers.map((s) => [s.id, s] as const);

describe('the folders of the schedulers', () => {
  it('exist for exactly the schedulers, and for own policies', () => {
    expect([...folders()].sort()).toEqual([...tables.map(([id]) => id), OWN].sort());
  });

  it.each(tables)('of %s has words for each of its reasons and no others', (id, { reasons }) => {
    expect(Object.keys(folderOf(id).words).sort()).toEqual(reasons.map((r) => r.id).sort());
  });

  it.each(tables)('of %s uses only operands that the reason has', (id, { reasons }) => {
    const { words, rules, deviations } = folderOf(id);
    for (const file of [words, rules, deviations])
      for (const [reason, text] of Object.entries(file)) {
        const operands = reasons.find((r) => r.id === reason)?.operands;
        expect(operands, reason).toBeDefined();
        const named = namesIn(text).filter((name) => name !== 'who' && name !== 'where');
        for (const name of named) expect(operands, `${reason}: ${text}`).toContain(name);
      }
  });

  it.each(folders())('of %s is written as sentences and formulas', (id) => {
    const { words, rules } = folderOf(id);
    for (const text of Object.values(words)) expect(text).toMatch(/\.$/);
    for (const text of Object.values(rules)) expect(text).not.toMatch(/\.$/);
  });

  it.each(tables)('of %s names existing refusals and operands', (id, { reasons }) => {
    for (const [reason, operand] of Object.entries(folderOf(id).queue.refusals ?? {}))
      expect(reasons.find((r) => r.id === reason)?.operands, reason).toContain(operand);
  });

  it.each(tables)('of %s offers changes of tunables that it has, to operands', (id, entry) => {
    for (const [reason, { to, tunable }] of Object.entries(folderOf(id).queue.tries ?? {})) {
      expect(entry.reasons.find((r) => r.id === reason)?.operands, reason).toContain(to);
      const eras = entry.eras.flatMap((era) => era.tunables.map((spec) => spec.id));
      expect(eras, reason).toContain(tunable);
    }
  });

  it.each(tables)('of %s gives the cause of each of its moves', (id, { reasons }) => {
    const moves = reasons.filter((r) => r.kind === 'migrate');
    expect(Object.keys(folderOf(id).moves).sort()).toEqual(moves.map((r) => r.id).sort());
    for (const reason of reasons) expect(movers).toContain(moverOf(id, reason));
  });

  it.each(tables)(
    'of %s names existing columns for pictures of queues',
    (id, { cpuColumns, taskColumns }) => {
      const {
        insertHand,
        removeHand,
        deadline,
        balanced,
        facts = [],
        threadFacts = [],
      } = folderOf(id).queue;
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
