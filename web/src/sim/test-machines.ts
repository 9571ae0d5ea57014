/** Machines of many shapes, expanded by the real core. */
import { checked, realCore } from './test-core';
import type { CacheSpec } from './types/CacheSpec';
import type { Catalog } from './types/Catalog';
import type { CoreSpec } from './types/CoreSpec';
import type { MachineSpec } from './types/MachineSpec';
import type { MachineTree } from './types/MachineTree';

/** The catalog of this build of the core. */
export const catalog = JSON.parse(realCore.catalog()) as Catalog;

/** A machine in short. */
export interface Shape {
  packages?: number;
  nodes?: number;
  llcs?: number;
  cores: (Pick<CoreSpec, 'count' | 'smt'> & Partial<CoreSpec>)[];
  caches?: Partial<CacheSpec>[];
}

const KIB = 1024;
const DEFAULT_CACHES: Partial<CacheSpec>[] = [
  { level: 1, bytes: 32 * KIB, per: 'core' },
  { level: 2, bytes: 512 * KIB, per: 'core' },
  { level: 3, bytes: 16 * 1024 * KIB, per: 'llc' },
];

/** The file of a machine in short. */
export function specOf(shape: Shape): MachineSpec {
  const base = catalog.machines[0]?.spec;
  if (!base) throw new Error('the core brings no machine');
  const { packages = 1, nodes = 1, llcs = 1, cores, caches = DEFAULT_CACHES } = shape;
  const llc = { count: llcs, cores };
  const spec = {
    ...base,
    topology: {
      numbering: 'coresFirst',
      packages: [{ count: packages, nodes: [{ count: nodes, llcs: [llc] }] }],
    },
    caches: caches.map((c) => ({
      ...{ level: 1, bytes: KIB, per: 'core', ways: 8, latencyCycles: 4 },
      linePs: 100 * (c.level ?? 1),
      ...c,
    })),
  };
  delete spec.turbo;
  delete spec.thermal;
  const { errors, scenario } = checked({ ...catalog.scenarios[0]?.scenario, machine: spec });
  if (typeof scenario?.machine !== 'object') throw new Error(JSON.stringify(errors));
  return scenario.machine;
}

/** The tree of a machine. */
export function treeOf(spec: MachineSpec): MachineTree {
  const scenario = catalog.scenarios[0]?.scenario;
  return JSON.parse(
    realCore.plan(JSON.stringify({ ...scenario, machine: spec })).machine_tree(),
  ) as MachineTree;
}

/** Shapes of every sort: small, large, hybrid, with clusters, with dies, irregular. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  one: { cores: [{ count: 1, smt: 1 }] },
  desktop: { cores: [{ count: 4, smt: 2 }] },
  boards: { packages: 8, cores: [{ count: 2, smt: 1 }], caches: DEFAULT_CACHES.slice(0, 2) },
  dies: { packages: 4, nodes: 2, cores: [{ count: 4, smt: 1 }] },
  ccx: { llcs: 4, cores: [{ count: 3, smt: 2 }] },
  hybrid: {
    cores: [
      { count: 8, smt: 2, kind: 'P' },
      { count: 8, smt: 1, kind: 'E', cluster: 4, speedMilli: 600 },
    ],
    caches: [
      { level: 1, bytes: 32 * KIB, per: 'core' },
      { level: 2, bytes: 1280 * KIB, per: 'core', kinds: ['P'] },
      { level: 2, bytes: 2048 * KIB, per: 'cluster', kinds: ['E'] },
      { level: 3, bytes: 30 * 1024 * KIB, per: 'llc' },
    ],
  },
  chiplets: { llcs: 12, cores: [{ count: 8, smt: 2 }] },
  sockets: { packages: 2, cores: [{ count: 18, smt: 2 }] },
  wide: { packages: 4, nodes: 2, llcs: 2, cores: [{ count: 6, smt: 8 }] },
  most: { packages: 8, nodes: 2, llcs: 2, cores: [{ count: 32, smt: 1 }] },
};

/** All of these and all presets, by name. */
export function allTrees(): readonly (readonly [string, MachineTree])[] {
  return [
    ...Object.entries(SHAPES).map(([name, shape]) => [name, treeOf(specOf(shape))] as const),
    ...catalog.machines.map((m) => [m.spec.id, m.tree] as const),
  ];
}
