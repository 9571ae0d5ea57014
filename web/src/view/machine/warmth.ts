/**
 * Whose data is in which cache, and which memory is short: what frames say about it, if they do. A core
 * without these columns makes empty answers.
 */
import { type Frame, TaskState } from '../../sim/frame';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Area, Cache } from './areas';

/** A running thread's part of a cache. */
export interface Tenant {
  readonly task: number;
  readonly bytes: number;
}

/** Share from which a set counts as wholly there. */
export const WARM = 0.995;

/** Level that stands for memory. */
const MEMORY = 4;

/** Share of a running thread's set that is in the cache that serves it; null where it is not known. */
export function warmOf(frame: Frame, task: number): number | null {
  if (frame.task('state')[task] !== TaskState.running) return null;
  const warm = frame.taskIfAny('warm')?.[task] ?? Number.NaN;
  return Number.isFinite(warm) ? Math.min(1, Math.max(0, warm)) : null;
}

/** Level of the cache that a thread's sweep comes from, 4 for memory; null where it is not known. */
export function servedBy(frame: Frame, task: number): number | null {
  const level = frame.taskIfAny('servedBy')?.[task] ?? Number.NaN;
  return level >= 1 ? level : null;
}

/** The name of a level. */
export function levelName(level: number): string {
  return level >= MEMORY ? 'memory' : `L${String(level)}`;
}

/** Running threads and what of their data is in the cache that serves them, by piece of cache. */
export function tenantsOf(frame: Frame, tree: MachineTree): ReadonlyMap<number, readonly Tenant[]> {
  const out = new Map<number, Tenant[]>();
  const curr = frame.cpu('curr');
  const size = frame.task('workingSetBytes');
  for (let cpu = 0; cpu < frame.cpus; cpu++) {
    const task = curr[cpu] ?? -1;
    const level = task < 0 ? null : servedBy(frame, task);
    const warm = task < 0 ? null : warmOf(frame, task);
    if (level === null || warm === null) continue;
    const cache = tree.caches.find((c) => c.level === level && (c.instance[cpu] ?? -1) >= 0);
    const bytes = warm * (size[task] ?? 0);
    if (!cache || !(bytes > 0)) continue;
    const instance = cache.instance[cpu] ?? -1;
    const list = out.get(instance) ?? [];
    list.push({ task, bytes: Math.min(bytes, cache.bytes) });
    out.set(instance, list);
  }
  return out;
}

/** Bytes in a cache that anybody left there, running or not; null where it is not known. */
export function usedBytes(frame: Frame, area: Area, cache: Cache): number | null {
  const column = frame.cpuIfAny(`l${String(cache.level)}Bytes`);
  const used = column?.[area.cpus[0] ?? -1] ?? Number.NaN;
  return Number.isFinite(used) ? used : null;
}

/** How much of their time the running threads of an area lose to memory that has no more to give. */
export function saturation(frame: Frame, area: Area): number {
  const lost = frame.taskIfAny('now:saturation');
  if (!lost) return 0;
  const curr = frame.cpu('curr');
  let sum = 0;
  let n = 0;
  for (const cpu of area.cpus) {
    const task = curr[cpu] ?? -1;
    if (task < 0) continue;
    sum += lost[task] ?? 0;
    n += 1;
  }
  return n === 0 ? 0 : sum / n;
}
