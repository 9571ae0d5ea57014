/** The content of each cache, and memory with short bandwidth. */
import { type Frame, TaskState } from '../../sim/frame';
import type { MemorySpec } from '../../sim/types/MemorySpec';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Area } from './areas';

/** A thread's data in a cache. */
export interface CacheShare {
  readonly task: number;
  readonly bytes: number;
  /** Whether the thread runs where it uses this cache now; else its data is left behind. */
  readonly isHere: boolean;
}

/** Threads and their data in each cache, by number of the cache; running threads first. */
export type CacheShares = ReadonlyMap<number, readonly CacheShare[]>;

/** The data that tenants are made from. */
export interface CacheView {
  readonly frame: Frame;
  readonly tree: MachineTree;
  /** Rows of cache, thread and bytes. */
  readonly residents: Float64Array;
}

/** Share from which on a set counts as completely loaded. */
export const WARM = 0.995;

/** Level that stands for memory. */
export const MEMORY = 4;
const ROW = 3;

/** Share of a running thread's set in the cache that serves it; null if it has none. */
export function warmOf(frame: Frame, task: number): number | null {
  if (frame.task('state')[task] !== TaskState.running) return null;
  const warm = frame.taskIfAny('warm')?.[task] ?? Number.NaN;
  return Number.isFinite(warm) ? Math.min(1, Math.max(0, warm)) : null;
}

/** Level that serves most of a thread's sweep, 4 for memory; null if it sweeps nothing. */
export function servedBy(frame: Frame, task: number): number | null {
  const level = frame.taskIfAny('servedBy')?.[task] ?? Number.NaN;
  return level >= 1 ? level : null;
}

/** The name of a level. */
export function levelName(level: number): string {
  return level >= MEMORY ? 'memory' : `L${String(level)}`;
}

const known = new WeakMap<Frame, CacheShares>();

/** The threads with data in each cache. A running thread counts with the data that it has loaded so far. */
export function cacheSharesOf(view: CacheView): CacheShares {
  // Pictures, tables and words ask about the same frame.
  let tenants = known.get(view.frame);
  if (!tenants) {
    tenants = makeTenants(view);
    known.set(view.frame, tenants);
  }
  return tenants;
}

const knownSizes = new WeakMap<MachineTree, ReadonlyMap<number, number>>();

/** Size of every cache by its number. */
function sizesOf(tree: MachineTree): ReadonlyMap<number, number> {
  let sizes = knownSizes.get(tree);
  if (!sizes) {
    sizes = new Map(tree.caches.flatMap((c) => c.instance.map((i) => [i, c.bytes] as const)));
    knownSizes.set(tree, sizes);
  }
  return sizes;
}

/**
 * The core counts a thread's data in a cache when it leaves its CPU. While it runs, every cache on its way has the
 * part of its set that it has loaded, as far as that fits. The most recent other threads keep the rest.
 */
function makeTenants({ frame, tree, residents }: CacheView): CacheShares {
  const size = frame.task('workingSetBytes');
  const running = new Map<number, CacheShare[]>();
  frame.cpu('curr').forEach((task, cpu) => {
    const set = task < 0 ? 0 : (size[task] ?? 0) * (warmOf(frame, task) ?? 1);
    if (!(set > 0)) return;
    for (const { instance, bytes } of tree.caches) {
      const cache = instance[cpu] ?? -1;
      if (cache < 0) continue;
      const inside = running.get(cache) ?? [];
      inside.push({ task, bytes: Math.min(set, bytes), isHere: true });
      running.set(cache, inside);
    }
  });
  const sizes = sizesOf(tree);
  const out = new Map<number, CacheShare[]>();
  const room = new Map<number, number>();
  for (const [cache, inside] of running) {
    const capacity = sizes.get(cache) ?? 0;
    const wanted = inside.reduce((sum, t) => sum + t.bytes, 0);
    const part = Math.min(1, capacity / wanted);
    out.set(
      cache,
      inside.map((t) => ({ ...t, bytes: t.bytes * part })),
    );
    room.set(cache, Math.max(0, capacity - wanted));
  }
  for (let i = 0; i + ROW <= residents.length; i += ROW) {
    const cache = residents[i] ?? 0;
    const task = residents[i + 1] ?? 0;
    const bytes = residents[i + 2] ?? 0;
    if (running.get(cache)?.some((t) => t.task === task)) continue;
    const left = room.get(cache) ?? sizes.get(cache) ?? 0;
    const kept = Math.min(left, bytes);
    if (kept < 1) continue;
    room.set(cache, left - kept);
    const inside = out.get(cache) ?? [];
    inside.push({ task, bytes: kept, isHere: false });
    out.set(cache, inside);
  }
  return out;
}

/** Factor by which waiting for the memory of an area is longer because bandwidth is short; 1 if it is not. */
export function saturation(frame: Frame, area: Area): number {
  const factor = frame.cpuIfAny('saturation')?.[area.cpus[0] ?? -1] ?? 1;
  return Number.isFinite(factor) ? Math.max(1, factor) : 1;
}

/** Whether memory costs anything: on the ideal machine, and on one that a trace tells of, it does not, and has no limits. */
export function hasLimits(memory: Pick<MemorySpec, 'localLatencyNs' | 'linePs'>): boolean {
  return memory.localLatencyNs > 0 || memory.linePs > 0;
}
