import { describe, expect, it } from 'vitest';
import type { Catalog } from '../sim/types/Catalog';
import { laneNames, laneNamesAt } from './lane-names';
import type { Scenario } from '../sim/types/Scenario';

const tunables = [
  { id: 'hz', label: 'hz', unit: 'Hz', kind: { type: 'int', default: 1000 } },
  {
    id: 'group',
    label: 'sched_autogroup_enabled',
    unit: '',
    kind: { type: 'flag', default: true },
  },
];
const eras = (...ids: string[]) => ids.map((id) => ({ id, name: `Linux ${id}`, tunables }));
const catalog = {
  schedulers: [
    { id: 'eevdf', name: 'EEVDF', family: 'kernel', eras: eras('6.12', '6.6') },
    { id: 'cfs', name: 'CFS', family: 'kernel', eras: eras('4.9') },
    { id: 'random', name: 'Random', family: 'baseline', eras: eras('uniform') },
  ],
} as unknown as Pick<Catalog, 'schedulers'>;
const of = (id: string, era?: string, own = {}) => ({
  id,
  ...(era === undefined ? {} : { era }),
  tunables: own,
});

describe('names of lanes', () => {
  it('are those of the schedulers where each is there once', () => {
    const names = laneNames([of('cfs'), of('eevdf'), of('random')], catalog);
    expect(names.map((n) => n.name)).toEqual(['CFS', 'EEVDF', 'Random']);
    expect(names.map((n) => n.era)).toEqual(['Linux 4.9', 'Linux 6.12', '']);
  });

  it('tell lanes of one scheduler apart by their eras', () => {
    const names = laneNames([of('cfs', '4.9'), of('eevdf', '6.6'), of('eevdf')], catalog);
    expect(names.map((n) => n.name)).toEqual(['CFS', 'EEVDF 6.6', 'EEVDF 6.12']);
  });

  it('say which tunable differs where the era is the same', () => {
    const names = laneNames(
      [of('cfs'), of('cfs', '4.9', { group: false, hz: 1000 }), of('random', 'uniform')],
      catalog,
    );
    expect(names.map((n) => n.name)).toEqual(['CFS, autogroup on', 'CFS, autogroup off', 'Random']);
    expect(names.map((n) => n.era)).toEqual(['Linux 4.9', 'Linux 4.9', '']);
  });

  it('say the era as well where only some share one', () => {
    const names = laneNames(
      [of('eevdf', '6.6', { hz: 100 }), of('eevdf', '6.6'), of('eevdf')],
      catalog,
    );
    expect(names.map((n) => n.name)).toEqual([
      'EEVDF 6.6, hz 100',
      'EEVDF 6.6, hz 1000',
      'EEVDF 6.12',
    ]);
  });

  it('are numbers alone where nothing differs, or where one difference is not enough', () => {
    const names = laneNames([of('cfs'), of('cfs')], catalog);
    expect(names).toEqual([
      { name: '1 CFS', era: 'Linux 4.9' },
      { name: '2 CFS', era: 'Linux 4.9' },
    ]);
    const three = [of('cfs'), of('cfs', '4.9', { group: false }), of('cfs', '4.9', { hz: 100 })];
    expect(laneNames(three, catalog).map((n) => n.name)).toEqual(['1 CFS', '2 CFS', 'CFS, hz 100']);
  });

  it('are those of the program that is in force', () => {
    const own = { id: 'own', name: 'Own policy', family: 'baseline', eras: eras('stride') };
    const known = { schedulers: [...catalog.schedulers, own] } as typeof catalog;
    const scenario = {
      schedulers: [of('cfs'), of('own', 'stride')],
      edits: [{ atNs: 5e6, set: { 'lanes.2.program': 'def pick(cpu): return cpu.waiting[0]' } }],
    } as unknown as Pick<Scenario, 'schedulers' | 'edits'>;
    const at = (ns: number) => laneNamesAt(scenario, known, ns).map((n) => `${n.name} ${n.era}`);
    expect(at(4_999_999)).toEqual(['CFS Linux 4.9', 'Own policy Linux stride']);
    expect(at(5e6)).toEqual(['CFS Linux 4.9', 'Own policy ']);
  });
});
