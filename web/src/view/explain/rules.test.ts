import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { hasWording, kindName, sentence } from './reasons';
import { deviating, ruled, ruleOf } from './rules';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const schedulers = catalog.schedulers.map((s) => s.id);

function decisionOf(reason: ReasonEntry): DecisionView {
  return {
    id: 1,
    atNs: 1,
    cpu: 2,
    task: 3,
    taskName: 'dhry-3',
    kind: reason.kind,
    reason: reason.id,
    kernel: '',
    operands: reason.operands
      .map((name, i) => ({ name, value: i + 1, unit: reason.units[i] ?? '' }))
      .filter((o) => o.name !== ''),
    candidates: [],
  };
}

describe('rules', () => {
  it.each(schedulers)(
    'of %s are about reasons that there are, with operands that they have',
    (s) => {
      for (const id of ruled(s)) {
        // A word that two schedulers share is in the catalog once for each: one of them has these operands.
        const found = catalog.reasons.filter((r) => r.id === id);
        const texts = found.map((r) => ruleOf(s, decisionOf(r)));
        expect(
          texts.some((t) => t !== null && !/–|NaN|undefined/.test(t)),
          id,
        ).toBe(true);
      }
      const known = new Set(catalog.reasons.map((r) => r.id));
      for (const id of deviating(s)) expect(known.has(id), id).toBe(true);
    },
  );
});

describe('every decision of every shipped scenario', () => {
  it.each(catalog.scenarios.map((s) => [s.id, s.scenario] as const))(
    '%s: has a card without a blank',
    (_, scenario) => {
      scenario.schedulers.forEach((choice, i) => {
        const lane = realCore.lane(JSON.stringify(scenario), i);
        for (let n = 0; n < 20 && lane.now() < 150_000_000; n++) lane.advance(150_000_000, 5_000);
        const decisions = JSON.parse(lane.decisions(-1, false, 5000, -1, -1, '')) as DecisionView[];
        const seen = new Set<string>();
        for (const d of decisions) {
          if (seen.has(d.reason)) continue;
          seen.add(d.reason);
          expect(hasWording(choice.id, d.reason), `${choice.id} ${d.reason}`).toBe(true);
          const text = `${sentence(choice.id, d)} ${ruleOf(choice.id, d) ?? ''}`;
          expect(text, d.reason).not.toMatch(/undefined|NaN|–/);
          expect(kindName(d.kind)).not.toBe(d.kind);
          expect(d.kernel, d.reason).not.toBe('');
        }
        lane.free();
      });
    },
  );
});
