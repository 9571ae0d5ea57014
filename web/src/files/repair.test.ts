import { describe, expect, it } from 'vitest';
import { checked, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { Scenario } from '../sim/types/Scenario';
import { repair } from './repair';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const base = catalog.scenarios[0]?.scenario as Scenario;
const machine = (id: string) => catalog.machines.find((m) => m.spec.id === id)?.spec as MachineSpec;
const [i7860, m1, i7980x] = [machine('i7860'), machine('m1'), machine('i7980x')];
const check = (scenario: unknown) => checked(scenario).errors;

/** Repairs until the core accepts the scenario; returns the sentences of all rounds. */
function mended(scenario: unknown): { scenario: unknown; notes: readonly string[] } {
  let now = scenario;
  const notes: string[] = [];
  for (let round = 0; round < 20; round++) {
    const problems = check(now);
    if (problems.length === 0) return { scenario: now, notes };
    const better = repair(now, problems, base, i7860);
    if (!better) throw new Error(`cannot be mended: ${JSON.stringify(problems)}`);
    now = better.scenario;
    notes.push(...better.notes);
  }
  throw new Error('does not end');
}

const group = { name: 'a', count: 2, behaviour: { kind: 'dhrystone' } };
const cases: readonly (readonly [string, object, RegExp, object])[] = [
  [
    'a number beyond its range',
    { groups: [{ ...group, count: 1e9 }] },
    /^groups\[0\]\.count: must be from 0 to 5000 threads.* 1 is used\.$/,
    { groups: [{ count: 1 }] },
  ],
  [
    'a number beyond its type',
    { groups: [{ ...group, count: 1e15 }] },
    /^groups\[0\]\.count: .* 1 is used\.$/,
    { groups: [{ count: 1 }] },
  ],
  ['a negative number', { seed: -1 }, /^seed: .* The default is used\.$/, {}],
  ['a fraction', { groups: [{ ...group, startNs: 0.5 }] }, /^groups\[0\]\.startNs/, {}],
  [
    'a field that does not exist',
    { groups: [{ ...group, colour: 'red' }] },
    /^groups\[0\]\.colour: unknown field/,
    { groups: [{ name: 'a', count: 2 }] },
  ],
  ['an unknown scheduler', { schedulers: [{ id: 'none' }] }, /^schedulers\[0\]\.id/, {}],
  [
    'an unknown machine',
    { machine: 'cray' },
    /^machine: must be one of/,
    { machine: base.machine },
  ],
  [
    'half a machine',
    { machine: { id: 'mine', name: 'x' } },
    /^machine: missing field/,
    { machine: base.machine },
  ],
  [
    'a machine with numbers beyond their ranges',
    { machine: { ...m1, clockMhz: 0, memory: { ...m1.memory, nodeMib: 1e8 } } },
    /^machine\.clockMhz: must be from 1 to 100000 MHz, got 0\. 2800 is used\.$/,
    { machine: { ...m1, clockMhz: i7860.clockMhz, memory: { nodeMib: i7860.memory.nodeMib } } },
  ],
  [
    'a machine with a number that only its neighbours could mend',
    { machine: { ...m1, caches: [{ ...m1.caches[0], bytes: 0 }] } },
    /^machine\.caches\[0\]\.bytes: must be from 1 to .* The default is used\.$/,
    { machine: base.machine },
  ],
  [
    'a machine whose numbers contradict each other',
    { machine: { ...i7860, thermal: { ...i7980x.thermal, ambientMilliC: 200_000 } } },
    /^machine\.thermal: limitMilliC must exceed ambientMilliC\. The default is used\.$/,
    { machine: base.machine },
  ],
  [
    'no threads at all',
    { groups: undefined },
    /^groups: missing field `groups`\. The default is used\.$/,
    { groups: base.groups },
  ],
  ['no name', { name: undefined }, /^name: missing field `name`\. Scenario is used\.$/, {}],
  ['an end beyond its range', { end: { atNs: 1e15 } }, /^end\.atNs/, { end: base.end }],
  [
    'a name that turns the line around',
    {
      groups: [{ ...group, name: 'a\u202eb' }],
      edits: [{ atNs: 5, set: { 'groups.a\u202eb.count': 1 } }],
    },
    /^groups\[0\]\.name: must not hold control characters .*u\{202e\} as character 2\. These characters are replaced\.$/,
    { groups: [{ name: 'a\ufffdb' }], edits: [{ set: { 'groups.a\ufffdb.count': 1 } }] },
  ],
  [
    'controls in its texts',
    { name: 'a\u001b[2Jb\nc', notes: 'one\ntwo\u0000', ask: 'x\u0085' },
    /^name: must not hold control characters/,
    { name: 'a\ufffd[2Jb c', notes: 'one\ntwo\ufffd', ask: 'x\ufffd' },
  ],
  [
    'an edit of a thread that does not exist',
    { edits: [{ atNs: 5, set: { 'groups.nobody.count': 1 } }] },
    /^edits\[0\]/,
    {},
  ],
];

describe('a scenario of unknown origin', () => {
  it.each(cases)('with %s keeps the rest', (_, change, note, kept) => {
    const broken = { ...base, groups: [group], ...change };
    const { scenario, notes } = mended(broken);
    expect(notes[0]).toMatch(note);
    expect(scenario).toMatchObject(kept);
    expect(check(scenario)).toEqual([]);
  });
});
