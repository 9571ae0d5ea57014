import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { DecisionView } from '../../sim/types/DecisionView';
import { loadTexts } from '../schedulers/folder';
import { deviationOf, hasWording, kindName, ruleOf, sentence, scoreOf, timesOf } from './reasons';

await loadTexts();

const catalog = JSON.parse(realCore.catalog()) as Catalog;

const DECISION: DecisionView = {
  id: 1,
  atNs: 1,
  cpu: 2,
  task: 3,
  taskName: 'dhry-3',
  kind: 'selectCpu',
  reason: 'idle_core',
  kernel: '',
  operands: [
    { name: 'rank', value: 4, unit: '' },
    { name: 'idle CPUs allowed', value: 1, unit: 'CPUs' },
  ],
  candidates: [],
};

describe('wording', () => {
  it('fills thread, CPU and operands with their units into a template', () => {
    expect(sentence('bfs', DECISION)).toMatch(
      /^dhry-3 is runnable\. Of 1 CPU cpu 2 ranks best \(4, /,
    );
    expect(ruleOf('bfs', DECISION)).toBe('lowest rank of 1 CPU idle: 4');
  });

  it('shows a dash where a decision lacks an operand', () => {
    expect(ruleOf('bfs', { ...DECISION, operands: [] })).toBe('lowest rank of – idle: –');
  });

  it('shows the name and all numbers of a reason without words', () => {
    const unknown = { ...DECISION, reason: 'fresh_start' };
    expect(sentence('bfs', unknown)).toBe(
      'dhry-3 on cpu 2: fresh start (rank 4, idle CPUs allowed 1 CPU).',
    );
    expect(sentence('nobody', { ...unknown, cpu: null, taskName: null, operands: [] })).toBe(
      'fresh start.',
    );
    expect(ruleOf('bfs', unknown)).toBeNull();
    expect(deviationOf('bfs', 'toString')).toBeNull();
  });

  it('names a control group in place of its number', () => {
    const group = { name: 'control group', value: 1, unit: 'cgroup', named: 'web' };
    const throttled = { ...DECISION, reason: 'cgroup_throttled', operands: [group] };
    expect(sentence('eevdf', throttled)).toMatch(/^Control group web stands still on cpu 2: /);
    expect(sentence('bfs', throttled)).toContain('(control group web)');
  });

  it('has a heading for every kind', () => {
    for (const { reasons } of catalog.schedulers)
      for (const { kind } of reasons) expect(kindName(kind)).not.toBe(kind);
  });
});

describe('every decision of every shipped scenario', () => {
  it.each(catalog.scenarios.map((s) => [s.id, s.scenario] as const))(
    '%s: has a card without a blank',
    (_, scenario) => {
      scenario.schedulers.forEach((choice, i) => {
        const lane = realCore.plan(JSON.stringify(scenario)).lane(i);
        for (let n = 0; n < 20 && lane.now() < 150_000_000; n++) lane.advance(150_000_000, 5_000);
        const decisions = JSON.parse(lane.decisions(-1, false, 5000, -1, -1, '')) as DecisionView[];
        const seen = new Set<string>();
        for (const d of decisions) {
          if (seen.has(d.reason)) continue;
          seen.add(d.reason);
          expect(hasWording(choice.id, d.reason), `${choice.id} ${d.reason}`).toBe(true);
          const text = `${sentence(choice.id, d)} ${ruleOf(choice.id, d) ?? ''}`;
          expect(text, d.reason).not.toMatch(/undefined|NaN|–|[{}]/);
          expect(d.kernel, d.reason).not.toBe('');
        }
        lane.free();
      });
    },
  );
});

describe('scores of candidates', () => {
  const candidate = (score: number) => ({
    ...{ cpu: null, task: 1, name: 'a', note: 'deadline', chosen: false },
    score,
  });
  const decision = (unit: string, ...scores: readonly number[]) => ({
    ...{ id: 0, atNs: 0, cpu: 4, task: 1, taskName: 'a', kind: 'pickNext', reason: '', kernel: '' },
    operands: [{ name: 'deadline', value: 184_000_000, unit }],
    candidates: scores.map(candidate),
  });

  it('are in the unit of the sentence', () => {
    const told = decision('atNs', 184_000_000, 240_000_000);
    expect(told.candidates.map((c) => scoreOf(told, c))).toEqual(['184.000 ms', '240.000 ms']);
    expect(scoreOf(told, candidate(2 ** 63))).toBe('–');
    const ranks = decision('atNs', 1, 5);
    expect(ranks.candidates.map((c) => scoreOf(ranks, c))).toEqual(['1', '5']);
  });

  it('have as many digits as tell them apart', () => {
    const far = decision('atNs', 184_000_000, 240_000_000);
    expect(timesOf(far, far.candidates)).toEqual(['184 ms', '240 ms']);
    const near = decision('atNs', 184_000_000, 184_003_000);
    expect(timesOf(near, near.candidates)).toEqual(['184.000 ms', '184.003 ms']);
    const ranks = decision('', 184_000_000, 2);
    expect(timesOf(ranks, ranks.candidates)).toBeNull();
  });
});
