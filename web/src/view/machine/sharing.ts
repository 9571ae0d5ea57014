/**
 * Cores that two threads share while another core has none, from one picture: the only place that finds them. The line
 * above a machine, announced moments and their words all ask here, so they cannot name different threads.
 */
import { count } from '../../lib/format';
import type { History, Slice } from '../../sim/history';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { LaneState } from '../../state/lane.svelte';
import type { Words } from './say-line';

type View = Pick<LaneState, 'frame' | 'tree' | 'names' | 'isBackground' | 'nameOf'>;

/** Threads of the workload that share a core, in their order. */
export interface Shared {
  readonly core: number;
  readonly tasks: readonly number[];
  /** The CPUs on which they run, in the same order. */
  readonly cpus: readonly number[];
}

/** The cores of a picture that are shared, those without a thread of the workload, and those without any thread. */
export interface Sharing {
  readonly shared: readonly Shared[];
  readonly free: readonly number[];
  readonly idle: readonly number[];
}

const knownCores = new WeakMap<MachineTree, ReadonlyMap<number, readonly number[]>>();

/** The CPUs of each core. */
export function cpusByCore(tree: MachineTree): ReadonlyMap<number, readonly number[]> {
  let cores = knownCores.get(tree);
  if (!cores) {
    const found = new Map<number, number[]>();
    tree.core.forEach((core, cpu) => {
      const cpus = found.get(core);
      if (cpus) cpus.push(cpu);
      else found.set(core, [cpu]);
    });
    knownCores.set(tree, (cores = found));
  }
  return cores;
}

/** Who shares a core in the newest picture, and which cores nobody of the workload has. */
export function sharingOf(lane: Pick<View, 'frame' | 'tree' | 'isBackground'>): Sharing {
  const curr = lane.frame.cpu('curr');
  const shared: Shared[] = [];
  const [free, idle]: [number[], number[]] = [[], []];
  for (const [core, cpus] of cpusByCore(lane.tree)) {
    const busy = cpus.filter((cpu) => (curr[cpu] ?? -1) >= 0);
    const jobs = busy.filter((cpu) => !lane.isBackground(curr[cpu] ?? -1));
    if (busy.length === 0) idle.push(core);
    if (jobs.length === 0) free.push(core);
    if (jobs.length < 2) continue;
    jobs.sort((a, b) => (curr[a] ?? 0) - (curr[b] ?? 0));
    shared.push({ core, cpus: jobs, tasks: jobs.map((cpu) => curr[cpu] ?? -1) });
  }
  return { shared, free, idle };
}

/** Cores whose frames say what the line above the machine says. */
export interface Pairing {
  readonly shared: ReadonlySet<number>;
  readonly idle: ReadonlySet<number>;
}

export const NO_PAIRING: Pairing = { shared: new Set(), idle: new Set() };

/** The shared cores of a picture and the idle ones beside them; none where no core is free. */
export function pairingOf({ shared, free, idle }: Sharing): Pairing {
  if (shared.length === 0 || free.length === 0) return NO_PAIRING;
  return { shared: new Set(shared.map(({ core }) => core)), idle: new Set(idle) };
}

/** Two threads by name; where there is one group, by their numbers: `jobs 2 and 3`. */
function together([a = '', b = '']: readonly string[], isOneGroup: boolean): string {
  const [first, second] = [a, b].map((name) => /-(\d+)$/.exec(name)?.[1]);
  const isNumbered = isOneGroup && first !== undefined && second !== undefined;
  return isNumbered ? `jobs ${first} and ${second}` : `${a} and ${b}`;
}

/** Cores without a thread of the workload in words. */
function sayFree({ free, idle }: Sharing): string {
  const [only = 0] = idle;
  if (idle.length > 1) return `${count(idle.length)} cores idle`;
  if (idle.length === 1) return `core ${String(only)} idle`;
  return free.length === 1
    ? `no job on core ${String(free[0])}`
    : `no job on ${count(free.length)} cores`;
}

/** A shared core in words, the longest first. */
export function sayShared(lane: View, { core, tasks }: Shared, of: Sharing): Words {
  const isOneGroup = lane.names.groups.filter(({ background }) => !background).length === 1;
  const both = together(
    tasks.map((t) => lane.nameOf(t)),
    isOneGroup,
  );
  const share = `${both} share core ${String(core)}`;
  return [`${share} · ${sayFree(of)}`, share, `core ${String(core)} shared`];
}

/** Most letters of a line above a machine, so that it has room in a narrow lane. */
const MOST_LETTERS = 48;

/** All shared cores in one line while others have no job: the two threads if there is one core; null if there is none. */
export function saySharing(lane: View, of: Sharing): string | null {
  const [first] = of.shared;
  if (!first || of.free.length === 0) return null;
  const words = sayShared(lane, first, of);
  return of.shared.length === 1
    ? (words.find(({ length }) => length <= MOST_LETTERS) ?? words[0])
    : `${count(of.shared.length)} cores shared · ${sayFree(of)}`;
}

/** When and by which slice a thread came to the CPU on which it runs, whatever daemons ran there in between. */
export function arrivalOf(
  lane: Pick<LaneState, 'history' | 'isBackground'>,
  cpu: number,
  task: number,
): Slice | null {
  const list = lane.history.slices[cpu] ?? [];
  const moved = lane.history.moves.findLast((m) => m.task === task && m.from !== m.to);
  let first: Slice | null = null;
  for (let i = list.length - 1; i >= 0; i--) {
    const slice = list[i];
    if (!slice || slice.from < (moved?.atNs ?? 0)) break;
    if (slice.task === task) first = slice;
    else if (slice.task < 0 || !lane.isBackground(slice.task)) break;
  }
  return first;
}

/** The first time, not before another one, at which no thread of the workload runs on a core. */
export function freeFrom(
  lane: { readonly history: Pick<History, 'slices'>; isBackground(task: number): boolean },
  cpus: readonly number[],
  fromNs: number,
): number {
  const jobs = cpus.flatMap((cpu) => {
    const list = lane.history.slices[cpu] ?? [];
    const later: Slice[] = [];
    for (let i = list.length - 1; i >= 0; i--) {
      const slice = list[i];
      if (!slice || slice.to <= fromNs) break;
      if (slice.task >= 0 && !lane.isBackground(slice.task)) later.push(slice);
    }
    return later;
  });
  jobs.sort((a, b) => a.from - b.from);
  let at = fromNs;
  for (const { from, to } of jobs) {
    if (from > at) break;
    at = Math.max(at, to);
  }
  return at;
}
