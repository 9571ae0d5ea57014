/** Every row of the core's table of properties: its value comes back from a scenario, from a link and in words. */
import PO from 'pofile';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textsOfFile } from '../../i18n/texts-of-file.js';
import { differsFrom } from '../files/differs';
import { sorted } from '../lib/json';
import { withFittingGuide } from '../sim/guide';
import { between, type Set } from '../sim/property/between';
import { withProperty } from '../sim/property/set';
import { hasRowsBelow, stepsOf } from '../sim/property/path';
import { checked, normal, realCore } from '../sim/test-core';
import type { Catalog } from '../sim/types/Catalog';
import type { Property } from '../sim/types/Property';
import type { Scenario } from '../sim/types/Scenario';
import { readLink, writeLink } from './link';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;
const ID = 'all';

/** A scenario in which every property has its place. */
const BASE = normal({
  version: 1,
  name: 'all',
  notes: 'Look.',
  ask: 'Who waits?',
  machine: 'r3900x',
  seed: 3,
  schedulers: [
    { id: 'ule', era: '2013-06', tunables: { slice: 5 } },
    { id: 'ule', era: '11.1' },
    { id: 'cfs' },
  ],
  groups: [
    {
      name: 'first',
      count: 2,
      nice: 1,
      sliceNs: 5_000_000,
      workingSetBytes: 4096,
      allowed: [1, 2],
      process: 'p',
      parent: { forkCostNs: 5, waitCostNs: 5 },
      behaviour: { kind: 'dhrystone', params: { workMs: 5 } },
    },
    { name: 'a.b', count: 1, behaviour: { kind: 'loop' } },
    { name: 'rt', count: 1, policy: 'fifo', rtPriority: 5, behaviour: { kind: 'loop' } },
  ],
  cgroups: { pod: {}, web: { quotaUs: 60_000, periodUs: 90_000 } },
  background: { daemons: {}, kernelThreads: {} },
  edits: [{ atNs: 5_000_000, set: { 'groups.first.nice': 3 } }],
  end: { atNs: 1_000_000_000 },
  opening: { speed: 5_000_000 },
  answer: { measure: 'share', of: 'first' },
  controls: [{ kind: 'nice' }],
  moments: ['steal'],
  thumb: 'bars',
});
const WITH_BASE: Catalog = {
  ...CATALOG,
  scenarios: [{ ...(CATALOG.scenarios[0] as object), id: ID, scenario: BASE } as never],
};

/** Whole lists and objects: of these one item differs, as a link says the difference. */
const WHOLE: Readonly<Record<string, readonly [string, string]>> = {
  lanes: ['lanes', JSON.stringify(BASE.schedulers.slice(0, 2))],
  groups: ['groups', JSON.stringify(BASE.groups.slice(0, 2))],
  cgroups: ['cgroups', JSON.stringify({ ...BASE.cgroups, j: { weight: 5 } })],
  'cgroups.*': ['cgroups.j', '(weight:5)'],
  'groups.*': ['groups.job', '(count:1,behaviour:(kind:loop))'],
  // An edit names the first group.
  'groups.*.name': ['groups."a.b".name', 'job'],
  'groups.*.rtPriority': ['groups.rt.rtPriority', '10'],
  'groups.*.behaviour.*': ['groups.first.behaviour.workMs', '9'],
  'groups.*.parent': ['groups."a.b".parent', '{}'],
  'lanes.*.*': ['lanes.1.slice', '3'],
  'answer.**': ['answer.of', 'rt'],
};

/** A path of a row that exists in the scenario, and a value. */
function tried({ path, example }: Property): readonly [string, string] {
  const known = WHOLE[path];
  if (known) return known;
  const [tail, value] = path.endsWith('**') ? example.split('=') : ['', example];
  const of =
    { groups: 'first', cgroups: 'web', threads: 'first-1' }[path.split('.')[0] ?? ''] ?? '1';
  return [path.replace('**', tail ?? '').replaceAll('*', of), value ?? ''];
}

/** The scenario after a change, as the page has it: a question goes with its run. */
function changed(property: Property): Scenario {
  const set = withProperty(BASE, ...tried(property), WITH_BASE);
  return normal(withFittingGuide(set, BASE));
}

const TEXTS = PO.parse(readFileSync(`${import.meta.dirname}/../locales/de.po`, 'utf8')).items;
const GERMAN = new Map(TEXTS.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']));
const IN_GERMAN: Catalog = {
  ...WITH_BASE,
  properties: CATALOG.properties.map((row) => ({
    ...row,
    label: GERMAN.get(row.label) || row.label,
  })),
};

describe.each(CATALOG.properties.map((property) => [property.path, property] as const))(
  '%s',
  (_, property) => {
    const [path] = tried(property);
    // Found in each test, so that one row that fails leaves the others.
    const differs = () => {
      const now = changed(property);
      return { now, sets: between(BASE, now, WITH_BASE) ?? [] };
    };
    const isWhole = hasRowsBelow(stepsOf(path) ?? [], CATALOG) || /tunables|params/.test(path);

    it('is found again where it was set, and nothing else is', () => {
      const { now, sets } = differs();
      expect(checked(now).errors).toEqual([]);
      expect(now).not.toEqual(BASE);
      if (!isWhole) expect(sets.map((set) => set.property.path)).toEqual([property.path]);
      expect(sets).not.toEqual([]);
      const again = sets.reduce((at, set) => withProperty(at, set.path, set.text, WITH_BASE), BASE);
      const fitting = withFittingGuide(again, BASE);
      expect(sorted(normal(fitting))).toEqual(sorted(now));
    });

    it('makes a short link, which reads back', async () => {
      const { now } = differs();
      const page = { scenario: now, baseId: ID, t: 0, digests: [], view: {} };
      const link = await writeLink(page, WITH_BASE);
      expect(link.length, link).toBeLessThanOrEqual(60);
      const read = await readLink(link, WITH_BASE);
      expect(read.problems).toEqual([]);
      expect(sorted(normal(read.scenario))).toEqual(sorted(now));
    });

    it.each([
      ['English', WITH_BASE],
      ['German', IN_GERMAN],
    ])('is told by its name and value in %s', (_language, catalog) => {
      const { now, sets } = differs();
      const phrases = differsFrom(now, BASE, catalog).join('; ');
      for (const set of sets) {
        const row = catalog.properties.find(({ path: of }) => of === set.property.path);
        expect(row?.label, 'its German').not.toBe('');
        expect(phrases).toContain(nameIn(set, row?.label ?? '', catalog));
        expect(phrases).toMatch(valueOf(set));
      }
    });
  },
);

/** What a phrase calls a property. */
function nameIn({ steps, property, spec }: Set, label: string, { properties }: Catalog): string {
  const [root = '', which = '', field = ''] = steps;
  const labelOf = (path: string) => properties.find((row) => row.path === path)?.label ?? '';
  // Edits are told as what happens.
  if (root === 'edits') return steps.length === 2 ? 'edits' : 'nice of first';
  if (root === 'threads' || field === 'paused') return which;
  if (root === 'groups' && steps.length === 2) return which;
  if (root === 'lanes' && (steps.length === 2 || field !== 'slice')) return labelOf('lanes');
  if (property.path.endsWith('.**')) return `${labelOf(root)}: ${steps.slice(1).join(' ')}`;
  return spec?.label ?? (root === 'groups' && field === 'count' ? 'threads' : label);
}

/** What a phrase has to say of a value. */
function valueOf({ steps, property, spec, value, text }: Set): RegExp {
  const [root = '', , field = ''] = steps;
  const word = (said: string) =>
    new RegExp(`(^|[ “+])${said.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=$|[ ”;,.])`);
  if (root === 'edits' && value === undefined) return word('no');
  if (field === 'paused') return word('stopped');
  if (root === 'threads' && value === undefined) return word('ended');
  if (root === 'groups' && steps.length === 2) return value === undefined ? /without/ : /added/;
  if (root === 'cgroups' && steps.length <= 2) return /weight 5/;
  if (root === 'lanes' && steps.length === 2 && value === undefined)
    return /ULE 2013-06, ULE 11.1 \(/;
  if (value === undefined) return word(String(spec?.kind.default ?? property.default));
  if (Array.isArray(value)) return word(value.length === 0 ? 'none' : String(value[0]));
  if (typeof value === 'boolean') return word('yes');
  if (typeof value === 'number') {
    const digits = steps[2] === 'lane' ? '1' : (/[\d.]+/.exec(text)?.[0] ?? '');
    const grouped = digits.replaceAll(/\B(?=(\d{3})+$)/g, '\u202f?');
    return new RegExp(`(^|[ “+−])${grouped}(?=$|[ ”;,.])`);
  }
  if (typeof value === 'object') return /was none/;
  const { machines, behaviours, schedulers } = CATALOG;
  const name =
    machines.find((m) => m.spec.id === value)?.spec.name ??
    (field === 'behaviour' && steps.length === 3
      ? behaviours.find((b) => b.id === value)?.name
      : schedulers.find((s) => s.id === value)?.name);
  return word(name ?? String(value));
}

/** What the core's own tests say of paths and values. */
const CASES = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../sim-core/src/property/cases.json`, 'utf8'),
) as { base: unknown; cases: readonly { set: string; at: string; is: unknown }[] };

it.each(CASES.cases)('$set does what it does in the core', ({ set, at, is }) => {
  const [, path = '', text = ''] = /^((?:"[^"]*"|[^"=])*)=(.*)$/.exec(set) ?? [];
  const changed: unknown = normal(withProperty(normal(CASES.base), path, text, CATALOG));
  const keys = at.split('/').slice(1);
  const found = keys.reduce<unknown>((value, key) => (value as never)[key], changed);
  expect(found ?? null).toEqual(is);
});

it('has no name of a field, a type or an edit among the words that another language replaces', async () => {
  const inFolder = readdirSync(`${import.meta.dirname}/../sim/property`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `src/sim/property/${name}`);
  const files = [...inFolder, 'src/link/differences.ts', 'src/link/old-keys.ts'];
  const words = (await Promise.all(files.map(textsOfFile))).flat();
  expect(words.length).toBeGreaterThan(0);
  expect(words.filter((text) => /^\w+$/.test(text))).toEqual([]);
});
