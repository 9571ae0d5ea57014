/** Whose data is in which cache, and which memory is short. */
import { type Frame, TaskState } from '../../sim/frame';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Area } from './areas';

/** What a cache holds of a thread. */
export interface Tenant {
  readonly task: number;
  readonly bytes: number;
  /** Whether the thread runs where it uses this cache now; else it left its data behind. */
  readonly isHere: boolean;
}

/** Threads and what each cache holds of them, by number of the cache; those who run first. */
export type Tenants = ReadonlyMap<number, readonly Tenant[]>;

/** What the tenants are made of. */
export interface CacheView {
  readonly frame: Frame;
  readonly tree: MachineTree;
  /** Rows of cache, thread and bytes. */
  readonly residents: Float64Array;
}

/** Share from which a set counts as wholly there. */
export const WARM = 0.995;

/** Level that stands for memory. */
const MEMORY = 4;
const ROW = 3;

/** Share of a running thread's set that is in the cache that serves it; null where it has none. */
export function warmOf(frame: Frame, task: number): number | null {
  if (frame.task('state')[task] !== TaskState.running) return null;
  const warm = frame.taskIfAny('warm')?.[task] ?? Number.NaN;
  return Number.isFinite(warm) ? Math.min(1, Math.max(0, warm)) : null;
}

/** Level that most of a thread's sweep comes from, 4 for memory; null where it sweeps nothing. */
export function servedBy(frame: Frame, task: number): number | null {
  const level = frame.taskIfAny('servedBy')?.[task] ?? Number.NaN;
  return level >= 1 ? level : null;
}

/** The name of a level. */
export function levelName(level: number): string {
  return level >= MEMORY ? 'memory' : `L${String(level)}`;
}

const known = new WeakMap<Frame, Tenants>();

/** Who has data in which cache. A running thread counts with what it has fetched by now. */
export function tenantsOf(view: CacheView): Tenants {
  // Pictures, tables and words ask for the same moment.
  let tenants = known.get(view.frame);
  if (!tenants) {
    tenants = makeTenants(view);
    known.set(view.frame, tenants);
  }
  return tenants;
}

function makeTenants({ frame, tree, residents }: CacheView): Tenants {
  const size = frame.task('workingSetBytes');
  const bytes = new Map<number, Map<number, number>>();
  for (let i = 0; i + ROW <= residents.length; i += ROW) {
    const [cache = 0, task = 0, n = 0] = residents.subarray(i, i + ROW);
    const inside = bytes.get(cache) ?? new Map<number, number>();
    bytes.set(cache, inside.set(task, n));
  }
  const here = new Set<string>();
  frame.cpu('curr').forEach((task, cpu) => {
    const level = task < 0 ? null : servedBy(frame, task);
    const set = size[task] ?? 0;
    if (level === null || !(set > 0)) return;
    for (const cache of tree.caches) {
      const instance = cache.instance[cpu] ?? -1;
      if (instance < 0) continue;
      here.add(`${String(instance)}:${String(task)}`);
      // Further in than the cache that serves it, a sweep leaves only its last lines.
      if (cache.level !== level) continue;
      const inside = bytes.get(instance) ?? new Map<number, number>();
      const now = Math.min(set, cache.bytes) * (warmOf(frame, task) ?? 1);
      bytes.set(instance, inside.set(task, now));
    }
  });
  const out = new Map<number, readonly Tenant[]>();
  for (const [cache, inside] of bytes) {
    const all = [...inside].map(([task, n]): Tenant => {
      return { task, bytes: n, isHere: here.has(`${String(cache)}:${String(task)}`) };
    });
    out.set(cache, [...all.filter((t) => t.isHere), ...all.filter((t) => !t.isHere)]);
  }
  return out;
}

/** By how much waiting for the memory of an area stretches because bandwidth is short; 1 if it does not. */
export function saturation(frame: Frame, area: Area): number {
  const factor = frame.cpuIfAny('saturation')?.[area.cpus[0] ?? -1] ?? 1;
  return Number.isFinite(factor) ? Math.max(1, factor) : 1;
}
