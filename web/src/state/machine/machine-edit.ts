/** Changes to a machine as data: each returns a new machine and leaves the old one unchanged. */
import type { Path } from '../../lib/paths';
import type { CacheSpec } from '../../sim/types/CacheSpec';
import type { CoreSpec } from '../../sim/types/CoreSpec';
import type { MachineSpec } from '../../sim/types/MachineSpec';

/** The path in the core's notation: `machine.caches[1].bytes`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${String(key)}]` : `${text}.${key}`),
    'machine',
  );
}

/** The name of the field in the core's table of ranges, without indices: `machine.caches.bytes`. */
export function fieldOf(path: Path): string {
  return ['machine', ...path.filter((key) => typeof key === 'string')].join('.');
}

/** A list with one more entry, a copy of the one at `from`. */
export function repeated<T>(list: readonly T[], from: number, change: (item: T) => T): T[] {
  const item = list[from];
  return item === undefined
    ? [...list]
    : [...list.slice(0, from + 1), change(item), ...list.slice(from + 1)];
}

/** A list without one entry. */
export function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, i) => i !== at);
}

const MINE = 'mine';

/** A machine that may be changed: it loses the name of the preset that it was made from. */
export function ownCopy(spec: MachineSpec): MachineSpec {
  if (spec.id === MINE) return spec;
  return {
    ...spec,
    id: MINE,
    name: `My ${spec.name}`.slice(0, 80),
    purpose: `Made by hand from ${spec.name}.`,
    // The preset's sources do not cover changed numbers.
    provenance: [
      { fields: ['topology'], mark: 'assumed', source: `made by hand from the preset ${spec.id}` },
    ],
  };
}

/** All kinds of cores of a machine, in order; empty if all cores are alike. */
export function kindsOf(spec: MachineSpec): readonly string[] {
  const kinds = new Set<string>();
  for (const p of spec.topology.packages)
    for (const n of p.nodes) for (const l of n.llcs) for (const c of l.cores) kinds.add(c.kind);
  kinds.delete('');
  return [...kinds];
}

/** Number of NUMA nodes. */
export function nodeCount(spec: MachineSpec): number {
  return spec.topology.packages.reduce(
    (sum, p) => sum + p.count * p.nodes.reduce((n, node) => n + node.count, 0),
    0,
  );
}

/** Adds a kind of core beside the one at `from`: half as fast, like the small cores of hybrid machines. */
export function withKind(cores: readonly CoreSpec[], from: number): CoreSpec[] {
  const named = cores.map((c, i) => ({ ...c, kind: c.kind || (i === 0 ? 'P' : `K${String(i)}`) }));
  const taken = new Set(named.map((c) => c.kind));
  const name = ['E', 'M', 'S'].find((k) => !taken.has(k)) ?? `K${String(named.length)}`;
  return repeated(named, from, (c) => ({ ...c, kind: name, smt: 1, speedMilli: 600 }));
}

/** Adds an outermost level of cache: eight times as large, and shared by a group. */
export function withCache(spec: MachineSpec): MachineSpec {
  const last = spec.caches.at(-1);
  const level = Math.min(4, (last?.level ?? 0) + 1);
  const next: CacheSpec = {
    level,
    bytes: last ? last.bytes * 8 : 32_768,
    per: last === undefined ? 'core' : last.per === 'package' ? 'package' : 'llc',
    ways: 8,
    latencyCycles: last ? last.latencyCycles * 3 : 4,
    linePs: last ? Math.min(spec.memory.linePs, Math.max(1000, last.linePs * 2)) : 0,
    ...{ replacement: 'lru', exclusive: false, portMilli: 1000, kinds: [] },
  };
  return { ...spec, caches: [...spec.caches, next] };
}

/** Distances for the present number of nodes: known ones stay, new ones equal the others. */
export function withDistances(spec: MachineSpec): MachineSpec {
  const n = nodeCount(spec);
  const old = spec.memory.distances;
  const far = old[0]?.[1] ?? 20;
  const distances = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? 10 : (old[i]?.[j] ?? far))),
  );
  return { ...spec, memory: { ...spec.memory, distances } };
}
