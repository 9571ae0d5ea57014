import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { DecisionView } from '../../sim/types/DecisionView';
import { hasWording, kindName, sentence } from './reasons';

// The core itself says what there is to be worded; a list kept here would only agree with itself.
const catalog = JSON.parse(realCore.catalog()) as Catalog;

describe('wording', () => {
  it.each(catalog.reasons.map((r) => [r.id, r] as const))(
    '%s has words of its own',
    (_, reason) => {
      const schedulers = catalog.schedulers.map((s) => s.id);
      expect(schedulers.some((s) => hasWording(s, reason.id))).toBe(true);
      expect(kindName(reason.kind)).not.toBe(reason.kind);
    },
  );

  it('uses only operands that the core gives', () => {
    for (const reason of catalog.reasons) {
      const operands = reason.operands
        .map((name, i) => ({ name, value: i + 1, unit: reason.units[i] ?? '' }))
        .filter((o) => o.name !== '');
      const decision: DecisionView = {
        id: 1,
        atNs: 1,
        cpu: 2,
        task: 3,
        taskName: 'dhry-3',
        kind: reason.kind,
        reason: reason.id,
        kernel: '',
        operands,
        candidates: [],
      };
      for (const { id } of catalog.schedulers) {
        if (!hasWording(id, reason.id)) continue;
        const isShared = catalog.reasons.filter((r) => r.id === reason.id).length > 1;
        // A code that two schedulers share has the operands of its own scheduler only.
        if (!isShared) expect(sentence(id, decision), reason.id).not.toContain('–');
        expect(sentence(id, decision)).toMatch(/[.%)]$/);
      }
    }
  });

  it('words every decision of the first scenario', () => {
    const first = catalog.scenarios[0];
    if (!first) throw new Error('the core brings no scenario');
    first.scenario.schedulers.forEach((choice, i) => {
      const lane = realCore.lane(JSON.stringify(first.scenario), i);
      while (lane.now() < 300_000_000) lane.advance(300_000_000, 10_000);
      const decisions = JSON.parse(lane.decisions(-1, false, 500, -1, -1, '')) as DecisionView[];
      expect(decisions.length).toBeGreaterThan(0);
      for (const d of decisions) {
        expect(hasWording(choice.id, d.reason), `${choice.id} ${d.reason}`).toBe(true);
        expect(sentence(choice.id, d)).not.toMatch(/–|undefined|NaN/);
      }
      lane.free();
    });
  });
});
