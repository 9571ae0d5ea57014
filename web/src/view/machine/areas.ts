/**
 * The nested parts of a machine, made from the columns of the core: package, node, cache group, kind of core,
 * cluster, core. Parts with the same CPUs are one area with several names.
 */
import type { CacheTree } from '../../sim/types/CacheTree';
import type { MachineTree } from '../../sim/types/MachineTree';

/** Kinds of parts, from the outside in. */
export const PARTS = ['package', 'node', 'llc', 'kind', 'cluster', 'core'] as const;
/** A kind of part. */
export type Part = (typeof PARTS)[number];

/** One piece of cache. */
export interface Cache {
  readonly level: number;
  readonly bytes: number;
  /** Number among all caches of the machine. */
  readonly instance: number;
  /** Index of its description in the machine file. */
  readonly entry: number;
}

/** A part of the machine. */
export interface Area {
  /** Position in the list of all areas. */
  readonly index: number;
  /** Its parts, the innermost last. The whole machine may be none of these. */
  readonly parts: readonly Part[];
  readonly ids: Readonly<Partial<Record<Part, number>>>;
  /** Kind of its cores if all are alike. */
  readonly kind: string;
  /** Capacity of its CPUs for Linux if all have the same and those of the machine do not. */
  readonly capacity: number | null;
  readonly cpus: readonly number[];
  /** Caches that all their users share within this area but within no smaller one; outermost last. */
  readonly caches: readonly Cache[];
  readonly parent: Area | null;
  readonly children: readonly Area[];
  /** Equal for areas of the same structure, so that they can be drawn alike. */
  readonly shape: string;
}

interface Draft extends Area {
  readonly parts: Part[];
  readonly ids: Partial<Record<Part, number>>;
  readonly caches: Cache[];
  readonly children: Draft[];
  kind: string;
  capacity: number | null;
  shape: string;
}

function groupsBy(cpus: readonly number[], keys: readonly number[]): Map<number, number[]> {
  const out = new Map<number, number[]>();
  for (const cpu of cpus) {
    const key = keys[cpu] ?? 0;
    const list = out.get(key);
    if (list) list.push(cpu);
    else out.set(key, [cpu]);
  }
  return out;
}

const known = new WeakMap<MachineTree, readonly Area[]>();

/** All areas, parents before their children; the first one is the whole machine. */
export function areasOf(tree: MachineTree): readonly Area[] {
  let areas = known.get(tree);
  if (!areas) {
    areas = makeAreas(tree);
    known.set(tree, areas);
  }
  return areas;
}

function makeAreas(tree: MachineTree): readonly Area[] {
  const order = orderOf(tree);
  const parts = PARTS.filter((part) => part !== 'kind' || tree.kinds.length > 1);
  const all: Draft[] = [];
  const make = (cpus: readonly number[], parent: Draft | null): Draft => {
    const area: Draft = {
      index: all.length,
      parts: [],
      ids: {},
      kind: '',
      capacity: null,
      cpus,
      caches: [],
      parent,
      children: [],
      shape: '',
    };
    all.push(area);
    parent?.children.push(area);
    return area;
  };
  const open = (area: Draft, from: number): void => {
    const part = parts[from];
    if (!part) return;
    // Groups and clusters of one core are just that core.
    const isFine = part === 'llc' || part === 'kind' || part === 'cluster';
    if (isFine && countOf(area, tree.core) === countOf(area, tree[part])) {
      open(area, from + 1);
      return;
    }
    const groups = groupsBy(area.cpus, tree[part]);
    const alone = groups.size === 1;
    // A core is always a separate area, because threads run on cores.
    for (const [id, cpus] of groups) {
      const at = !alone || part === 'core' ? make(cpus, area) : area;
      at.parts.push(part);
      at.ids[part] = id;
      open(at, from + 1);
    }
  };
  const root = make(order, null);
  open(root, 0);
  for (const area of all) {
    area.kind = kindOf(area, tree);
    area.capacity = capacityOf(area.cpus, tree);
  }
  tree.caches.forEach((cache, entry) => {
    placeCaches(cache, entry, all);
  });
  for (const area of [...all].reverse()) area.shape = shapeOf(area);
  return all;
}

function countOf(area: Area, keys: readonly number[]): number {
  return new Set(area.cpus.map((cpu) => keys[cpu])).size;
}

function kindOf(area: Area, tree: MachineTree): string {
  const kinds = new Set(area.cpus.map((cpu) => tree.kind[cpu] ?? 0));
  const [only = 0] = kinds;
  return kinds.size === 1 ? (tree.kinds[only] ?? '') : '';
}

/** The capacity that all of these CPUs have for Linux; null where those of the machine do not differ. */
export function capacityOf(cpus: readonly number[], tree: MachineTree): number | null {
  if (new Set(tree.capacity).size < 2) return null;
  const [only, ...others] = new Set(cpus.map((cpu) => tree.capacity[cpu] ?? 0));
  return others.length > 0 ? null : (only ?? null);
}

/** Gives each cache to the innermost area that contains all its CPUs. */
function placeCaches(cache: CacheTree, entry: number, all: readonly Draft[]): void {
  const seen = new Set<number>();
  const users = groupsBy(
    cache.instance.map((_, cpu) => cpu),
    cache.instance,
  );
  // Innermost first: parents come before their children.
  for (const area of [...all].reverse()) {
    const instance = cache.instance[area.cpus[0] ?? -1] ?? -1;
    if (instance < 0 || seen.has(instance)) continue;
    const cpus = users.get(instance) ?? [];
    if (area.cpus.length < cpus.length || !cpus.every((cpu) => area.cpus.includes(cpu))) continue;
    seen.add(instance);
    area.caches.push({ level: cache.level, bytes: cache.bytes, instance, entry });
  }
}

function shapeOf(area: Area): string {
  if (area.children.length === 0) return String(area.cpus.length);
  const runs: string[] = [];
  for (const run of runsOf(area)) runs.push(`${String(run.length)}(${run[0]?.shape ?? ''})`);
  return runs.join('+');
}

/** Adjacent children of an area that have the same structure. */
export function runsOf(area: Area): readonly (readonly Area[])[] {
  const runs: Area[][] = [];
  for (const child of area.children) {
    const last = runs.at(-1);
    if (last && last[0]?.shape === child.shape) last.push(child);
    else runs.push([child]);
  }
  return runs;
}

/** CPUs in the order of the machine: siblings adjacent. */
export function cpuOrder(tree: MachineTree): readonly number[] {
  return areasOf(tree)[0]?.cpus ?? [];
}

function orderOf(tree: MachineTree): readonly number[] {
  const keys = [tree.package, tree.node, tree.llc, tree.kind, tree.cluster, tree.core, tree.thread];
  return tree.core
    .map((_, cpu) => cpu)
    .sort((a, b) => {
      for (const key of keys) {
        const difference = (key[a] ?? 0) - (key[b] ?? 0);
        if (difference !== 0) return difference;
      }
      return 0;
    });
}

/** Name of an area in a few words, e.g. `package 1 · node 2`; the short one names only the inner part. */
export function areaName(area: Area, isShort = false): string {
  const { core, cluster, node, llc } = area.ids;
  if (core !== undefined) {
    const kind = area.kind === '' ? '' : `${area.kind} `;
    return isShort ? `${kind}${String(core)}` : `${kind}core ${String(core)}`;
  }
  const words: string[] = [];
  if (area.parent !== null) {
    if (area.ids.package !== undefined && !(isShort && node !== undefined))
      words.push(`package ${String(area.ids.package)}`);
    if (node !== undefined) words.push(`node ${String(node)}`);
    if (cluster !== undefined && !area.parts.includes('kind'))
      words.push(`cluster ${String(cluster)}`);
  }
  if (area.kind !== '' && (cluster === undefined || area.parts.includes('kind')))
    words.push(`${area.kind} cores`);
  if (area.capacity !== null && words.length > 0)
    words.push(isShort ? String(area.capacity) : `capacity ${String(area.capacity)}`);
  if (words.length > 0 || area.caches.length > 0) return words.join(' · ');
  return area.parent === null ? 'machine' : `group ${String(llc ?? 0)}`;
}
