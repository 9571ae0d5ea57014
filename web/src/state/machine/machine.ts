/**
 * The machine of a scenario as written, and facts that follow directly. The core says where each CPU is, because it
 * knows how systems number CPUs.
 */
import type { Catalog } from '../../sim/types/Catalog';
import type { MachineRef } from '../../sim/types/MachineRef';
import type { MachineSpec } from '../../sim/types/MachineSpec';

/** The machine as written, or null for an unknown preset. */
export function specOf(catalog: Catalog, machine: MachineRef): MachineSpec | null {
  if (typeof machine !== 'string') return machine;
  return catalog.machines.find((m) => m.spec.id === machine)?.spec ?? null;
}

/** A size of cache of a machine. */
export interface CacheSize {
  readonly level: number;
  readonly bytes: number;
}

/** The sizes of a machine's caches, one for each level: the largest where cores differ. */
export function cacheSizes(spec: MachineSpec): readonly CacheSize[] {
  const sizes = new Map<number, number>();
  for (const { level, bytes } of spec.caches)
    sizes.set(level, Math.max(bytes, sizes.get(level) ?? 0));
  return [...sizes].map(([level, bytes]) => ({ level, bytes })).sort((a, b) => a.level - b.level);
}

/** The first cache that holds a set of one thread alone; null when none does. */
export function fitsInto(spec: MachineSpec, bytes: number): CacheSize | null {
  return cacheSizes(spec).find((c) => bytes <= c.bytes) ?? null;
}
