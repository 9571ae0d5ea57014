/** The share of a CPU that threads had since they began, and the fair share. */
import { causeToken } from '../../lib/color';
import { TaskState, type Frame } from '../../sim/frame';
import type { LaneNames } from '../../sim/protocol';
import type { TaskTotal } from '../../sim/samples';
import type { GroupNow } from '../../sim/types/GroupNow';

/** The part of a lane that shares are made of. */
interface Lane {
  readonly calm: Frame;
  readonly names: LaneNames;
  readonly present: { readonly groups: readonly GroupNow[] };
  readonly since?: Since | null;
}

/** The last change, and the totals of the workload's threads at that time. */
export interface Since {
  readonly atNs: number;
  readonly totals: ReadonlyMap<number, TaskTotal>;
}

/** Whether a thread is one of the workload. */
export function isWorkload({ names }: Pick<Lane, 'names'>, task: number): boolean {
  return names.groups[names.taskGroup[task] ?? -1]?.background === false;
}

/** What is read from a frame once, for the answer, its price and the bars. */
interface Read {
  readonly names: LaneNames;
  readonly tasks: readonly number[];
  shares: Shares | null;
  since: Since | null | undefined;
}

const read = new WeakMap<Frame, Read>();

function readOf({ calm, names }: Pick<Lane, 'calm' | 'names'>): Read {
  let known = read.get(calm);
  if (known?.names !== names) {
    const state = calm.task('state');
    const tasks: number[] = [];
    for (let t = 0; t < calm.tasks; t++)
      if (state[t] !== TaskState.notStarted && isWorkload({ names }, t)) tasks.push(t);
    known = { names, tasks, shares: null, since: null };
    read.set(calm, known);
  }
  return known;
}

/** Threads of the workload that have begun. */
export function begun(lane: Pick<Lane, 'calm' | 'names'>): readonly number[] {
  return readOf(lane).tasks;
}

/** The threads of the workload that have begun, and the share of each; see `shareOf`. */
export interface Shares {
  readonly tasks: readonly number[];
  readonly shares: Float64Array;
}

/** Shares of all. */
export function sharesOf(lane: Pick<Lane, 'calm' | 'names' | 'since'>): Shares {
  const known = readOf(lane);
  if (!known.shares || known.since !== lane.since) {
    const { tasks } = known;
    known.shares = { tasks, shares: Float64Array.from(tasks, (t) => shareOf(lane, t)) };
    known.since = lane.since;
  }
  return known.shares;
}

/**
 * Share of a CPU that a thread had since it began, or since the last change. NaN at the very beginning of that span,
 * and for a thread that had ended before it.
 */
export function shareOf(lane: Pick<Lane, 'calm' | 'since'>, task: number): number {
  return partOf(lane, task, 'runNs');
}

/** The same of the work that it did, in parts of what a core does for a thread that runs alone at full speed. */
export function workOf(lane: Pick<Lane, 'calm' | 'since'>, task: number): number {
  return partOf(lane, task, 'workNs');
}

function partOf(
  { calm, since }: Pick<Lane, 'calm' | 'since'>,
  task: number,
  what: 'runNs' | 'workNs',
): number {
  const own = calm.task(what)[task] ?? 0;
  const lived = ['runNs', 'waitNs', 'sleepNs'].reduce(
    (sum, column) => sum + (calm.task(column)[task] ?? 0),
    0,
  );
  if (!since) return own / lived;
  const before = since.totals.get(task)?.[what] ?? 0;
  // The time at which it ended is not known here, so the share of its whole life is used.
  if (calm.task('state')[task] === TaskState.finished)
    return own > before ? own / lived : Number.NaN;
  return (own - before) / Math.min(lived, calm.nowNs - since.atNs);
}

/** The cause that took most of a thread's time on CPUs, by its place among all causes; -1 if it lost nothing. */
export function mainLoss(calm: Frame, task: number): number {
  let [most, which] = [0, -1];
  calm.schema.causes.forEach((id, i) => {
    const lost = causeToken(id) === null ? 0 : (calm.task(`sum:${id}`)[task] ?? 0);
    if (lost > most) [most, which] = [lost, i];
  });
  return which;
}

/** Whether a thread is the named one, or in the named group. */
export function isOf({ names }: Pick<Lane, 'names'>, task: number, of: string): boolean {
  return names.tasks[task] === of || names.groups[names.taskGroup[task] ?? -1]?.name === of;
}

/** Share of a CPU that each thread of a group (or one thread) had, on average. */
export function groupsShare(lane: Lane, of: string): number {
  let [sum, n] = [0, 0];
  const { shares, tasks } = sharesOf(lane);
  for (const [i, t] of tasks.entries()) {
    if (!isOf(lane, t, of)) continue;
    const share = shares[i] ?? Number.NaN;
    if (Number.isFinite(share)) [sum, n] = [sum + share, n + 1];
  }
  return sum / n;
}

/** What each thread would have if all had the same. */
export interface Fair {
  readonly share: number;
  readonly cpus: number;
  readonly threads: number;
}

/**
 * The fair share: CPUs divided by living threads. Null where threads are not meant to get equal shares (another nice
 * value, other CPUs), where some sleep, and where no thread lives.
 */
export function fairOf(lane: Lane): Fair | null {
  const groups = lane.present.groups.filter((g) => g.count > 0);
  const [first] = groups;
  if (!first) return null;
  const { allowed, nice } = first;
  if (nice === null || allowed === null) return null;
  const same = JSON.stringify(allowed);
  if (groups.some((g) => g.nice !== nice || JSON.stringify(g.allowed) !== same)) return null;
  const sleep = lane.calm.task('sleepNs');
  const threads = begun(lane).filter((t) => lane.calm.task('state')[t] !== TaskState.finished);
  if (threads.length === 0 || threads.some((t) => (sleep[t] ?? 0) > 0)) return null;
  const cpus = allowed.length === 0 ? lane.calm.cpus : allowed.length;
  return { share: Math.min(1, cpus / threads.length), cpus, threads: threads.length };
}
