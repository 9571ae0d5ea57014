/** Threads that an idle CPU has not taken. A refusal is shown as long as the thread waits and the CPU is idle. */
import type { Frame } from '../../sim/frame';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { LaneState } from '../../state/lane.svelte';
import type { Run } from '../../state/run.svelte';
import { namesOf } from '../schedulers/folder';

/** A CPU looked at another CPU's queue and took no thread. */
export interface Refusal {
  /** Number of the decision. */
  readonly id: number;
  readonly atNs: number;
  /** Where threads wait. */
  readonly from: number;
  /** The idle CPU. */
  readonly to: number;
}

/** A refusal that still holds. */
export interface HeldRefusal extends Refusal {
  /** The first workload thread that waits there. */
  readonly task: number;
}

/** Most CPUs that are asked: more arrows would cover each other. */
const MOST = 4;
/** Most decisions of an idle CPU that are searched, the newest first. */
const LOOKED_AT = 3;

/** The refusal of a decision; null if it refused none. */
export function refusalOf(scheduler: string, decision: DecisionView): Refusal | null {
  const name = namesOf(scheduler, decision.reason).waitsOn;
  const from = decision.operands.find((o) => o.name === name)?.value ?? -1;
  const to = decision.cpu ?? -1;
  return from >= 0 && to >= 0 && from !== to
    ? { id: decision.id, atNs: decision.atNs, from, to }
    : null;
}

/** First waiting workload thread by CPU, of those that may run elsewhere. */
function waitingOn(
  frame: Pick<Frame, 'waiters' | 'task'>,
  isBackground: (task: number) => boolean,
): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  const waiters = frame.waiters();
  const places = frame.task('allowedCount');
  for (let row = 0; row < waiters.length; row++) {
    const queue = waiters.queue(row);
    if (queue < 0 || first.has(queue)) continue;
    const task = waiters.task(row);
    if (!isBackground(task) && (places[task] ?? 0) > 1) first.set(queue, task);
  }
  return first;
}

/** The idle CPUs, if a thread waits for another CPU: they may have refused it. The one that was asked about comes first. */
export function idleBesideWaiting(
  frame: Pick<Frame, 'waiters' | 'cpu' | 'task'>,
  isBackground: (task: number) => boolean,
  asked: number | null = null,
): readonly number[] {
  if (waitingOn(frame, isBackground).size === 0) return [];
  const idle: number[] = [];
  frame.cpu('curr').forEach((task, cpu) => {
    if (task < 0) idle.push(cpu);
  });
  const isAsked = (cpu: number) => Number(cpu === asked);
  return idle.sort((a, b) => isAsked(b) - isAsked(a)).slice(0, MOST);
}

/** The last refusals of some CPUs of a lane, as the core remembers them. */
export async function askRefusals(
  run: Run,
  { index, scheduler }: LaneState,
  idle: readonly number[],
): Promise<readonly Refusal[]> {
  const query = { lane: index, from: -1, newer: false, max: LOOKED_AT, task: -1, kind: '' };
  const found = await Promise.all(idle.map((cpu) => run.decisions({ ...query, cpu })));
  return found.flatMap((decisions) =>
    decisions.flatMap((d) => refusalOf(scheduler, d) ?? []).slice(0, 1),
  );
}

/** The refusals that still hold. */
export function heldOf(
  refusals: readonly Refusal[],
  frame: Pick<Frame, 'waiters' | 'cpu' | 'task'>,
  isBackground: (task: number) => boolean,
): readonly HeldRefusal[] {
  if (refusals.length === 0) return [];
  const curr = frame.cpu('curr');
  const waiting = waitingOn(frame, isBackground);
  return refusals.flatMap((refusal) => {
    const task = waiting.get(refusal.from);
    return task === undefined || (curr[refusal.to] ?? 0) >= 0 ? [] : [{ ...refusal, task }];
  });
}
