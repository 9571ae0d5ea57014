/**
 * A part of the machine in a few lines: its content, the CPUs that share it, its costs, and the threads whose data it
 * holds.
 */
import { figures } from '../../lib/figures';
import { bytes, celsius, count, duration, rate, ratio } from '../../lib/format';
import type { LaneState } from '../../state/lane.svelte';
import type { CacheSpec } from '../../sim/types/CacheSpec';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import { type Area, areaName, type Cache } from './areas';
import { hasLimits, levelName, saturation, type CacheShare, cacheSharesOf } from './warmth';

type View = Pick<LaneState, 'frame' | 'tree' | 'residents' | 'nameOf'>;

/** Most threads that are named in one line. */
const MAX_NAMED = 4;
/** Smaller parts of a cache are left out. */
const LEAST = 0.01;

/** Numbers as ranges: `0–3, 8`. */
export function ranges(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (sorted[j + 1] === (sorted[j] ?? 0) + 1) j++;
    const [from, to] = [String(sorted[i]), String(sorted[j])];
    parts.push(j === i ? from : j === i + 1 ? `${from}, ${to}` : `${from}–${to}`);
    i = j + 1;
  }
  return parts.join(', ');
}

/** Name and CPUs of an area. */
export function areaTitle(area: Area, machine: MachineSpec | null): string {
  const name = area.parent === null ? (machine?.name ?? 'machine') : areaName(area);
  return name === '' ? cacheTitle(area) : name;
}

function cacheTitle(area: Area): string {
  const last = area.caches.at(-1);
  return last ? `cores that share an ${levelName(last.level)}` : 'group of cores';
}

const cpus = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'cpu' : 'cpus'} ${ranges(numbers)}`;

function coresIn(area: Area, view: View): number {
  return new Set(area.cpus.map((cpu) => view.tree.core[cpu])).size;
}

function whoIsIn(view: View, tenants: readonly CacheShare[]): string {
  const named = [...tenants].sort((a, b) => b.bytes - a.bytes);
  const words = named.slice(0, MAX_NAMED).map((t) => `${view.nameOf(t.task)} ${bytes(t.bytes)}`);
  const more = named.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** A cache in a line or two. */
function tellCache(
  cores: number,
  view: View,
  cache: Cache,
  spec: CacheSpec | undefined,
  tenants: readonly CacheShare[],
): readonly string[] {
  const who = cores > 1 ? `shared by ${count(cores)} cores` : 'for this core alone';
  const size = `${levelName(cache.level)} ${bytes(cache.bytes)}, ${who}`;
  const cost = spec && spec.linePs > 0 ? `; a line costs ${duration(spec.linePs / 1000)}` : '';
  const lines = [size + cost];
  const name = levelName(cache.level);
  const here = tenants.filter((t) => t.isHere);
  const gone = tenants.filter((t) => !t.isHere && t.bytes >= cache.bytes * LEAST);
  if (here.length > 0) lines.push(`in ${name}: ${whoIsIn(view, here)}`);
  if (gone.length > 0) lines.push(`left behind in ${name}: ${whoIsIn(view, gone)}`);
  if (tenants.length === 0) lines.push(`${name} is empty`);
  return lines;
}

/** The cost of memory of each node from here, nearest first. */
function tellMemory(area: Area, machine: MachineSpec): readonly string[] {
  const { memory } = machine;
  const lines: string[] = [];
  const { node } = area.ids;
  const isShared = memory.domain === 'machine';
  const isDomain = isShared ? area.parent === null : node !== undefined;
  if (isDomain && hasLimits(memory)) {
    lines.push(
      `memory: ${rate(memory.bandwidthMbPerS * 1e6)} for ${isShared ? 'all' : 'these'} cores together`,
    );
    lines.push(
      `a line from ${isShared ? '' : 'its own '}memory costs ${duration(memory.linePs / 1000)}`,
    );
  }
  const row = node === undefined ? undefined : memory.distances[node];
  if (row && row.length > 1) {
    const far = new Map<number, number[]>();
    row.forEach((distance, other) => {
      if (other === node) return;
      const milli = memory.remote.find((r) => r.distance === distance)?.milli ?? distance * 100;
      far.set(milli, [...(far.get(milli) ?? []), other]);
    });
    for (const [milli, nodes] of [...far].sort(([a], [b]) => a - b))
      lines.push(`from node ${ranges(nodes)}: ${figures(milli / 1000, 2)} × as long`);
  }
  return lines;
}

/** An area in a few lines. */
export function tellArea(view: View, area: Area, machine: MachineSpec | null): readonly string[] {
  const lines = [areaTitle(area, machine)];
  const cores = coresIn(area, view);
  const n = area.cpus.length;
  const isCore = area.ids.core !== undefined;
  lines.push(isCore ? cpus(area.cpus) : `${count(cores)} cores, ${cpus(area.cpus)}`);
  if (isCore && n > 1) lines.push('its cpus share one core: both at work, each is slower');
  const tenants = cacheSharesOf(view);
  for (const cache of area.caches)
    lines.push(
      ...tellCache(
        cores,
        view,
        cache,
        machine?.caches[cache.entry],
        tenants.get(cache.instance) ?? [],
      ),
    );
  if (machine) lines.push(...tellMemory(area, machine));
  const factor = saturation(view.frame, area);
  if (factor > 1.005 && !isCore)
    lines.push(`memory is at its limit: waiting for it takes ${ratio(factor)} as long`);
  const heat = view.frame.cpu('temperature')[area.cpus[0] ?? 0] ?? Number.NaN;
  if (area.parent === null && machine?.thermal && Number.isFinite(heat))
    lines.push(`${celsius(heat)} of at most ${celsius(machine.thermal.limitMilliC / 1000)}`);
  return lines;
}
