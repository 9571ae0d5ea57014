/** Who stands still because the CPU time of a control group is used up: by which limit, since when, and what used it. */
import { type Frame, TaskState } from '../sim/frame';
import type { History } from '../sim/history';
import type { LimitNow } from '../sim/types/LimitNow';
import type { LaneState } from './lane.svelte';

/** The state of a lane at one time. */
export interface LimitedLane {
  readonly frame: Pick<Frame, 'task' | 'tasks' | 'waiters'>;
  readonly limits: readonly LimitNow[];
  readonly names: Pick<LaneState['names'], 'taskGroup'>;
}

/** A thread that stands still. */
export interface Standing {
  /** The limit of its control group; null: that of real time. */
  readonly limit: LimitNow | null;
  /** The CPU in whose queue it stands. */
  readonly cpu: number;
  readonly sinceNs: number;
}

/** The same by a limit of its control group. */
export interface HeldBy extends Standing {
  readonly limit: LimitNow;
}

/** Whether no CPU may take a waiting thread, because the time of its control group, or of real time, is used up. */
export function isHeld(frame: Pick<Frame, 'task'>, task: number): boolean {
  return frame.task('state')[task] === TaskState.queued && frame.task('allowedCount')[task] === 0;
}

/** Whether a thread is in the group of a limit, or below it. */
export function isBelow(
  { names }: Pick<LimitedLane, 'names'>,
  { groups }: LimitNow,
  task: number,
): boolean {
  return groups.includes(names.taskGroup[task] ?? -1);
}

/** The CPU in whose queue a thread waits; −1 if it does not. */
function queueOf(frame: Pick<Frame, 'waiters'>, task: number): number {
  const waiters = frame.waiters();
  for (let row = 0; row < waiters.length; row++)
    if (waiters.task(row) === task) return waiters.queue(row);
  return -1;
}

/** What holds a thread in the queue of a CPU; null if nothing does. Of several limits it is the one that lasts longest. */
export function heldOn(
  { limits, names }: Pick<LimitedLane, 'limits' | 'names'>,
  task: number,
  cpu: number,
): HeldBy | null {
  const holding = limits.flatMap((limit): HeldBy[] => {
    const there = limit.held.find((held) => held.cpu === cpu);
    return there && isBelow({ names }, limit, task) ? [{ limit, cpu, sinceNs: there.sinceNs }] : [];
  });
  const [longest] = holding.sort((a, b) => b.limit.refillAtNs - a.limit.refillAtNs);
  return longest ?? null;
}

/** What holds a thread; null if nothing does. */
export function heldBy(lane: LimitedLane, task: number): HeldBy | null {
  if (lane.limits.length === 0 || !isHeld(lane.frame, task)) return null;
  return heldOn(lane, task, queueOf(lane.frame, task));
}

/**
 * Why and since when a thread stands still; null if it does not. The real-time threads of a CPU stop with the one that ran
 * last, and who wakes later stands still from then on.
 */
export function standingOf(
  lane: LimitedLane & { readonly history: Pick<History, 'placings' | 'slices'> },
  task: number,
): Standing | null {
  const { frame, history } = lane;
  const held = heldBy(lane, task);
  if (held || !isHeld(frame, task)) return held;
  const cpu = queueOf(frame, task);
  const last = history.slices[cpu]?.findLast(
    (slice) => slice.task >= 0 && isHeld(frame, slice.task),
  );
  const sinceNs = Math.max(last?.to ?? 0, history.placings.get(task)?.atNs ?? 0);
  return { limit: null, cpu, sinceNs };
}

/** CPU time that a thread had, and on which CPUs. */
export interface Used {
  readonly task: number;
  readonly ns: number;
  readonly cpus: readonly number[];
}

/** Who used the time of a limit since it was filled last, the one that used most first; null where the past is not known. */
export function usedOf(
  lane: LimitedLane & { readonly history: Pick<History, 'knownFrom' | 'slices'> },
  limit: LimitNow,
  nowNs: number,
): readonly Used[] | null {
  const { knownFrom, slices } = lane.history;
  const { filledAtNs } = limit;
  if (knownFrom > filledAtNs) return null;
  const used = new Map<number, { ns: number; cpus: Set<number> }>();
  slices.forEach((row, cpu) => {
    for (let i = row.length - 1; i >= 0; i--) {
      const slice = row[i];
      if (!slice || slice.to <= filledAtNs) break;
      const ns = Math.min(slice.to, nowNs) - Math.max(slice.from, filledAtNs);
      if (ns <= 0 || slice.task < 0 || !isBelow(lane, limit, slice.task)) continue;
      const so = used.get(slice.task) ?? { ns: 0, cpus: new Set() };
      used.set(slice.task, { ns: so.ns + ns, cpus: so.cpus.add(cpu) });
    }
  });
  const all = [...used].map(([task, { ns, cpus }]) => ({
    task,
    ns,
    cpus: [...cpus].sort((a, b) => a - b),
  }));
  return all.sort((a, b) => b.ns - a.ns || a.task - b.task);
}
