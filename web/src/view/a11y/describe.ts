/** The moment in words: the content of a lane's picture, for the line above it and for screen readers. */
import { clock, count, duration, exactDuration, percent, ratio, waits } from '../../lib/format';
import { TaskState } from '../../sim/frame';
import type { LaneState } from '../../state/lane.svelte';
import { saySharing, sharingOf } from '../machine/sharing';
import { WARM, warmOf } from '../machine/warmth';

/** From this factor on, waiting for memory counts as short bandwidth. */
const SHORT_FROM = 1.02;

/** Facts of a moment, from which sentences are made. */
export interface Facts {
  readonly cores: number;
  /** Cores that run at least one workload thread. */
  readonly busyCores: number;
  readonly idleCores: readonly number[];
  /** Workload threads that share a core, by core. */
  readonly shared: readonly {
    readonly core: number;
    readonly threads: readonly string[];
    readonly rate: number;
  }[];
  /** The shared cores in words, while other cores have no job. */
  readonly sharing: string | null;
  readonly waiting: number;
  /** Threads that have not started yet. */
  readonly toCome: number;
  readonly running: number;
  readonly sleeping: number;
  readonly stopped: number;
  readonly finished: number;
  /** How much longer threads wait for the memory in highest demand; 1 if none is short. */
  readonly saturation: number;
  /** Running threads that still load their data. */
  readonly cold: number;
}

type View = Pick<LaneState, 'frame' | 'tree' | 'names' | 'isBackground' | 'nameOf'>;
type Described = View & Pick<LaneState, 'era' | 'limits' | 'name'>;

/** Gathers the facts. */
export function factsOf(lane: View): Facts {
  const { frame, tree } = lane;
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const rate = frame.task('rate');
  const perCore = new Map<number, number[]>([...new Set(tree.core)].map((c) => [c, []]));
  let cold = 0;
  const n = { toCome: 0, waiting: 0, running: 0, sleeping: 0, stopped: 0, finished: 0 };
  for (let t = 0; t < frame.tasks; t++) {
    if (lane.isBackground(t)) continue;
    if (state[t] === TaskState.notStarted) n.toCome += 1;
    else if (state[t] === TaskState.queued) n.waiting += 1;
    else if (state[t] === TaskState.sleeping) n.sleeping += 1;
    else if (state[t] === TaskState.stopped) n.stopped += 1;
    else if (state[t] === TaskState.finished) n.finished += 1;
    else if (state[t] === TaskState.running) {
      n.running += 1;
      if ((warmOf(frame, t) ?? 1) < WARM) cold += 1;
      perCore.get(tree.core[cpu[t] ?? -1] ?? -1)?.push(t);
    }
  }
  const all = [...perCore.entries()];
  const shared = all.flatMap(([core, tasks]) => {
    if (tasks.length < 2) return [];
    const mean = tasks.reduce((sum, t) => sum + (rate[t] ?? 0), 0) / tasks.length;
    return [{ core, threads: tasks.map((t) => lane.nameOf(t)), rate: mean }];
  });
  const sharing = sharingOf(lane);
  return {
    ...n,
    cores: perCore.size,
    busyCores: all.filter(([, tasks]) => tasks.length > 0).length,
    idleCores: sharing.idle,
    shared,
    sharing: saySharing(lane, sharing),
    saturation: Math.max(1, ...(frame.cpuIfAny('saturation') ?? [])),
    cold,
  };
}

/** One line: the most important fact. */
export function headline(f: Facts, nowNs: number): string {
  if (f.sharing !== null) return f.sharing;
  const before = f.toCome + f.waiting + f.sleeping;
  if (nowNs === 0 && f.running === 0 && before > 0)
    return before === 1 ? '1 thread is to begin' : `${count(before)} threads are to begin`;
  if (f.running === 0 && f.waiting === 0)
    return f.finished > 0 ? `all threads had finished at ${clock(nowNs)}` : 'nothing runs';
  return countsOf(f);
}

/** How many are busy and wait, always in the same form: its numbers may change with each picture. */
export function countsOf(f: Facts): string {
  const cores = `${count(f.busyCores)} of ${count(f.cores)} cores busy`;
  const waiting = f.waiting > 0 ? ` · ${waits(f.waiting)}` : '';
  const memory = f.saturation > SHORT_FROM ? ` · memory ${ratio(f.saturation)} slower` : '';
  return cores + waiting + memory;
}

/** A paragraph for screen readers. */
export function paragraph(f: Facts, lane: Described): string {
  const stopped = f.stopped > 0 ? `${count(f.stopped)} stopped, ` : '';
  const parts = [
    `${lane.name}${lane.era ? `, ${lane.era}` : ''}, at ${clock(lane.frame.nowNs)}.`,
    `Threads: ${count(f.running)} running on ${count(f.busyCores)} of ${count(f.cores)} cores, ${count(f.waiting)} waiting, ${count(f.sleeping)} sleeping, ${stopped}${count(f.finished)} finished.`,
  ];
  for (const { held, leftNs, name, quotaNs, refillAtNs } of lane.limits) {
    const quota = exactDuration(quotaNs);
    parts.push(
      held.length > 0
        ? `Control group ${name} stands still: its ${quota} are used up, more comes in ${duration(refillAtNs - lane.frame.nowNs)}.`
        : `Control group ${name} has ${duration(leftNs)} of ${quota} left.`,
    );
  }
  for (const s of f.shared.slice(0, 4)) {
    parts.push(
      `${s.threads.join(' and ')} share core ${String(s.core)} and run at ${percent(s.rate)} of their speed alone.`,
    );
  }
  if (f.saturation > SHORT_FROM)
    parts.push(`Memory is at its limit: waiting for it takes ${ratio(f.saturation)} as long.`);
  if (f.cold > 0) parts.push(`Still loading their data: ${count(f.cold)}.`);
  if (f.idleCores.length > 0 && f.idleCores.length < f.cores) {
    parts.push(
      `Idle: core ${f.idleCores.slice(0, 8).join(', ')}${f.idleCores.length > 8 ? ' and more' : ''}.`,
    );
  }
  return parts.join(' ');
}
