import { describe, expect, it } from 'vitest';
import { realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { isSameRun, withWordsOf, WORDS } from './words';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios.find((s) => s.id === 'bfs-smt')?.scenario as Scenario;
const [first, ...others] = base.groups as [Scenario['groups'][number]];

/** Each makes another run, of which the words say nothing. */
const CHANGES: Readonly<Record<string, Partial<Scenario>>> = {
  machine: { machine: 'v890' },
  lanes: { schedulers: base.schedulers.slice(1) },
  tunables: { schedulers: base.schedulers.map((s) => ({ ...s, tunables: { x: 1 } })) },
  processes: { groups: [{ ...first, count: first.count + 1 }, ...others] },
  background: { background: {} },
  timing: { timing: { ...base.timing, tickPhase: 'aligned' } as Scenario['timing'] },
  edits: { edits: [{ atNs: 1, edit: { kind: 'kill', target: { group: first.name } } }] },
};

const silent = (scenario: Scenario) => WORDS.every((word) => !scenario[word]);
const words = (scenario: Scenario) => WORDS.map((word) => scenario[word]);

describe('words of a scenario', () => {
  it.each(Object.entries(CHANGES))('go with a change of %s, and come back', (_, change) => {
    const changed = withWordsOf({ ...base, ...change }, base);
    expect(isSameRun(changed, base)).toBe(false);
    expect(silent(changed)).toBe(true);
    const back = Object.fromEntries(
      Object.keys(change).map((part) => [part, base[part as keyof Scenario]]),
    );
    expect(words(withWordsOf({ ...changed, ...back }, base))).toEqual(words(base));
  });

  it('stay where the run is the same', () => {
    for (const change of [{}, { seed: 9 }, { name: 'n' }, { end: { ...base.end, atNs: 5 } }])
      expect(words(withWordsOf({ ...base, ...change }, base))).toEqual(words(base));
    expect(withWordsOf(base, structuredClone(base))).toBe(base);
  });

  it('of its own stay', () => {
    const own = { ...base, ...CHANGES['processes'], try: 'Mine?' };
    expect(withWordsOf(own, base)).toBe(own);
  });
});
