/** Finds moments of a lane in its newest picture and its records, with everything that the page shows about them. */
import { clock } from '../../lib/format';
import { TaskState } from '../../sim/frame';
import type { Move, Slice } from '../../sim/history';
import { UNKNOWN } from '../../sim/trace';
import type { MomentKind } from '../../sim/types/MomentKind';
import type { Refused, Sight } from '../../state/shown-moment.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { askMove, askRefused, askSlice, askThread, type Question } from '../explain/ask';
import { standingOf } from '../../state/held';
import { moverOf } from '../schedulers/folder';
import { moveWords, refusalWords } from './say-line';
import { arrivalOf, cpusByCore, freeFrom, sayShared, sharingOf } from './sharing';

/** The part of a lane that is read. */
export type Seen = Pick<
  LaneState,
  | 'frame'
  | 'history'
  | 'index'
  | 'isBackground'
  | 'limits'
  | 'nameOf'
  | 'names'
  | 'scheduler'
  | 'tree'
>;

/** The data of a moment, without its lane and kind. */
type Part = Pick<Sight, 'atNs' | 'tasks' | 'from' | 'to' | 'words' | 'queue'> & {
  readonly question: Question;
  readonly move?: Move;
};

const cpuName = (cpu: number) => `cpu ${String(cpu)}`;

/** Times after which a moment counts: for an event (a move, an exit), and for the beginning of a state. */
export interface Since {
  readonly happened: number;
  readonly began: number;
  /** The end for states: a thread that waits in the middle of an instant may run at its end. */
  readonly until: number;
}

/** Whether a state counts, by its beginning. */
const counts = (atNs: number, { began, until }: Since): boolean => atNs > began && atNs < until;

/**
 * The first moment of each kind after a time. A moment without a known decision does not count: its card would be
 * empty.
 */
export function sightsOf(
  lane: Seen,
  kinds: readonly MomentKind[],
  since: Since,
  refused: readonly Refused[],
): readonly Sight[] {
  return kinds.flatMap((kind) => {
    const part = FIND[kind](lane, since, refused);
    if (!part) return [];
    const { question, move = null, ...rest } = part;
    const asked = { ...question, isByKey: true };
    return [{ ...rest, kind, lane: lane.index, move, asked }];
  });
}

type Finder = (lane: Seen, since: Since, refused: readonly Refused[]) => Part | null;

const FIND: Readonly<Record<MomentKind, Finder>> = {
  refusal: findRefusal,
  sharedCore: findShared,
  steal: (lane, since) => findMove(lane, since, 'steal'),
  balance: (lane, since) => findMove(lane, since, 'balance'),
  migration: (lane, since) => findMove(lane, since, null),
  wait: findWait,
  exit: findExit,
  wakeup: findWakeup,
};

/** The first move of a workload thread; with `by`, only one with that cause. */
function findMove(lane: Seen, since: Since, by: 'steal' | 'balance' | null): Part | null {
  const { moves } = lane.history;
  let first: Move | null = null;
  for (let i = moves.length - 1; i >= 0; i--) {
    const m = moves[i];
    if (!m || m.atNs <= since.happened) break;
    const isMove = m.from >= 0 && m.from !== m.to && m.decision >= 0 && !lane.isBackground(m.task);
    if (isMove && (by === null || moverOf(lane.scheduler, m.reason) === by)) first = m;
  }
  if (!first) return null;
  const { atNs, from, to, task } = first;
  const name = lane.nameOf(task);
  const words = moveWords(first, moverOf(lane.scheduler, first.reason), name);
  return { atNs, tasks: [task], from, to, words, question: askMove(lane, first), move: first };
}

/** A thread waits for a CPU, and an idle CPU does not take it. */
function findRefusal(lane: Seen, since: Since, [first]: readonly Refused[]): Part | null {
  if (!first || first.atNs <= since.began) return null;
  const { atNs, from, to, task } = first;
  const question = askRefused(lane, first);
  const words = refusalWords({ from, to }, lane.nameOf(task));
  return { atNs, tasks: [task], from: -1, to, queue: from, words, question };
}

/** Whether the decision behind a slice is known. */
const isKnown = ({ decision, also }: Slice): boolean =>
  decision !== UNKNOWN && also !== UNKNOWN && Math.max(decision, also) >= 0;

/**
 * Two workload threads share a core while another core has none; begins when both are true. The question is about the
 * decision that put the second thread there: what daemons do later changes nothing of that.
 */
function findShared(lane: Seen, since: Since): Part | null {
  const now = sharingOf(lane);
  // Most pictures of a busy machine have no free core.
  if (now.shared.length === 0 || now.free.length === 0) return null;
  let first: Part | null = null;
  for (const shared of now.shared) {
    const arrivals = shared.tasks.flatMap((task, i) => {
      const cpu = shared.cpus[i] ?? -1;
      const slice = arrivalOf(lane, cpu, task);
      return slice ? [{ task, cpu, slice }] : [];
    });
    arrivals.sort((a, b) => b.slice.from - a.slice.from);
    const [second] = arrivals;
    if (!second || arrivals.length < shared.tasks.length || !isKnown(second.slice)) continue;
    const { slice, task, cpu } = second;
    const free = [...cpusByCore(lane.tree).values()].map((cpus) =>
      freeFrom(lane, cpus, slice.from),
    );
    const atNs = Math.min(...free);
    if (!counts(atNs, since) || atNs >= (first?.atNs ?? Infinity)) continue;
    const move = lane.history.moves.findLast(
      (m) => m.atNs === slice.from && m.to === cpu && m.task === task,
    );
    first = {
      atNs,
      // The card is about the thread that came last.
      tasks: [task, ...shared.tasks.filter((t) => t !== task)],
      from: move?.from ?? cpu,
      to: cpu,
      words: sayShared(lane, shared, now),
      question: askSlice(lane, cpu, slice, slice.from),
      ...(move && { move }),
    };
  }
  return first;
}

/** The last slice that took a CPU from a thread. */
function takenBy(lane: Seen, cpu: number, task: number): Slice | null {
  const list = lane.history.slices[cpu] ?? [];
  for (let i = list.length - 1; i > 0; i--) if (list[i - 1]?.task === task) return list[i] ?? null;
  return null;
}

/** The thread that waits longest, since when, and why. */
function findWait(lane: Seen, since: Since): Part | null {
  let first: Part | null = null;
  const waiters = lane.frame.waiters();
  for (let row = 0; row < waiters.length; row++) {
    const [queue, task] = [waiters.queue(row), waiters.task(row)];
    const last = lane.history.placings.get(task);
    if (!last || lane.isBackground(task)) continue;
    const isPlaced = last.kind !== 'switch' && last.kind !== 'migrate';
    const name = lane.nameOf(task);
    const words = [
      `${name} waits ${queue < 0 ? 'in the global queue' : `for ${cpuName(queue)}`}`,
      `${name} waits`,
    ] as const;
    const cpu = queue < 0 ? last.cpu : queue;
    const base = { tasks: [task], from: -1, to: cpu, queue, words };
    const held = standingOf(lane, task);
    if (held) {
      const { sinceNs } = held;
      if (counts(sinceNs, since) && sinceNs < (first?.atNs ?? Infinity))
        first = {
          ...base,
          atNs: sinceNs,
          words: [`${name} stands still`],
          question: askThread(lane, task),
        };
      continue;
    }
    if (isPlaced && last.decision >= 0) {
      if (counts(last.atNs, since) && last.atNs < (first?.atNs ?? Infinity))
        first = { ...base, atNs: last.atNs, question: askThread(lane, task) };
      continue;
    }
    // It ran, and another thread has its CPU now.
    const next = takenBy(lane, last.cpu, task);
    if (!next || !isKnown(next) || !counts(next.from, since)) continue;
    if (next.from >= (first?.atNs ?? Infinity)) continue;
    const question = askSlice(lane, last.cpu, next, next.from);
    first = { ...base, atNs: next.from, question };
  }
  return first;
}

/** A thread ended; the decision is about the next thread of its CPU. */
function findExit(lane: Seen, since: Since): Part | null {
  const state = lane.frame.task('state');
  const ends = new Map<number, { cpu: number; next: Slice }>();
  lane.history.slices.forEach((list, cpu) => {
    for (let i = list.length - 1; i > 0; i--) {
      const [last, next] = [list[i - 1], list[i]];
      if (!last || !next || next.from <= since.happened) break;
      const { task } = last;
      if (task < 0 || lane.isBackground(task) || state[task] !== TaskState.finished) continue;
      if (next.from > (ends.get(task)?.next.from ?? -1)) ends.set(task, { cpu, next });
    }
  });
  let first: Part | null = null;
  for (const [task, { cpu, next }] of ends) {
    if (!isKnown(next) || next.from >= (first?.atNs ?? Infinity)) continue;
    const question = askSlice(lane, cpu, next, next.from);
    const words = [`${lane.nameOf(task)} finishes on ${cpuName(cpu)}`] as const;
    first = { atNs: next.from, tasks: [task], from: cpu, to: cpu, words, question };
  }
  return first;
}

/** A thread of the workload woke up. */
function findWakeup(lane: Seen, since: Since): Part | null {
  const { wakes } = lane.history;
  let first: Part | null = null;
  for (let i = wakes.length - 1; i >= 0; i--) {
    const wake = wakes[i];
    if (!wake || wake.atNs <= since.happened) break;
    const { atNs, task, to, decision, also } = wake;
    if (lane.isBackground(task) || Math.max(decision, also) < 0) continue;
    const name = lane.nameOf(task);
    const where = to < 0 ? 'in the global queue' : `on ${cpuName(to)}`;
    first = {
      atNs,
      tasks: [task],
      from: -1,
      to,
      words: [`${name} wakes up ${where}`, `${name} wakes up`],
      question: {
        lane: lane.index,
        of: { kind: 'decisions', decision, also },
        title: `${name} woke at ${clock(atNs)}`,
        heads: ['Why there', 'Whether it takes the CPU'],
        key: `wakeup ${name} ${String(atNs)}`,
      },
    };
  }
  return first;
}
