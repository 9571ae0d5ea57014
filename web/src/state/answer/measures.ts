/**
 * What the answer line can show of a lane: one number, read from the newest frame or from the core's own measures. To
 * add a measure, add one entry to the table below.
 */
import { TaskState } from '../../sim/frame';
import type { Frame } from '../../sim/frame';
import type { LaneNames } from '../../sim/protocol';
import type { TaskTotal } from '../../sim/samples';
import type { GroupNow } from '../../sim/types/GroupNow';
import type { Measure as Id } from '../../sim/types/Measure';
import type { MachineTree } from '../../sim/types/MachineTree';
import {
  amount,
  type Amount,
  clockOf,
  countOf,
  cpusOf,
  percentOf,
  ratioOf,
  timeOf,
} from '../../lib/amount';
import { begun, groupsShare, isOf, isWorkload, sharesOf, type Since } from './shares';

/** Ids of the measures, as scenarios and links write them. */
export type MeasureId = Id;

/** The part of a lane that measures are made of. */
export interface MeasuredLane {
  readonly calm: Frame;
  readonly names: LaneNames;
  readonly tree: MachineTree;
  readonly present: { readonly groups: readonly GroupNow[] };
  /** The last change, where sums begin; null or absent: they cover the whole run. */
  readonly since?: Since | null;
  /** A measure of the core by its id; NaN where it is not known. */
  metric(id: string): number;
}

/** A number of a lane. */
export interface Reading {
  /** NaN while it is not known. */
  readonly value: number;
  /** Whose number it is, or when it will be known; empty if there is nothing to say. */
  readonly about: string;
}

/** A measure that the answer line can show. */
export interface Measure {
  readonly id: MeasureId;
  /** Its name in a list. */
  readonly name: string;
  /** Its name beside a price: `moves of jobs`. */
  readonly price: string;
  /** Whether it is about a span of time: then it counts from the last change. */
  readonly isSum: boolean;
  /** Which way is better. */
  readonly better: 'higher' | 'lower' | 'none';
  /** The question that it answers, for a scenario that asks none; `of` names a group or thread. */
  question(of: string): string;
  read(lane: MeasuredLane, of: string): Reading;
  /** The number with its unit. */
  show(value: number): Amount;
  /** The difference of two lanes. */
  differ(by: number, base: number): Amount;
}

/** The measure of the core of that id. */
const core =
  (id: string) =>
  (lane: MeasuredLane): Reading => ({ value: lane.metric(id), about: '' });

/** The total of all threads of the workload at the last change; 0 without one. */
function before({ since }: MeasuredLane, of: (total: TaskTotal) => number): number {
  let sum = 0;
  for (const total of since?.totals.values() ?? []) sum += of(total);
  return sum;
}

/** A count of the core, since the last change. */
const counted =
  (id: string, of: (total: TaskTotal) => number) =>
  (lane: MeasuredLane): Reading => ({ value: lane.metric(id) - before(lane, of), about: '' });

/** Work in ns that was done per ns of time, since the last change. */
function throughput(lane: MeasuredLane): Reading {
  const { calm, since } = lane;
  const all = lane.metric('throughput') * calm.nowNs;
  const done = all - before(lane, (total) => total.workNs);
  return { value: done / (calm.nowNs - (since?.atNs ?? 0)), about: '' };
}

/** The part of CPU time in which no work was done, since the last change. */
function workLost(lane: MeasuredLane): Reading {
  const lost = lane.metric('workLost');
  if (!lane.since) return { value: lost, about: '' };
  let run = 0;
  for (const t of begun(lane)) run += lane.calm.task('runNs')[t] ?? 0;
  const work = (1 - lost) * run - before(lane, (total) => total.workNs);
  return { value: 1 - work / (run - before(lane, (total) => total.runNs)), about: '' };
}

/** Number of workload threads on the fullest core, running or in the queue of one of its CPUs. */
function fullest(lane: MeasuredLane): Reading {
  const { calm, tree } = lane;
  const [state, cpu] = [calm.task('state'), calm.task('cpu')];
  const on = new Map<number, number>();
  const count = (task: number, at: number) => {
    const core = tree.core[at];
    if (core !== undefined && isWorkload(lane, task)) on.set(core, (on.get(core) ?? 0) + 1);
  };
  for (let t = 0; t < calm.tasks; t++) if (state[t] === TaskState.running) count(t, cpu[t] ?? -1);
  const waiters = calm.waiters();
  for (let row = 0; row < waiters.length; row++) count(waiters.task(row), waiters.queue(row));
  let [value, where] = [0, -1];
  for (const [core, n] of on)
    if (n > value || (n === value && core < where)) [value, where] = [n, core];
  return { value, about: where < 0 ? '' : `core ${String(where)}` };
}

/** The workload thread with the smallest share of a CPU since its start. */
function least(lane: MeasuredLane): Reading {
  let [value, who] = [Number.NaN, -1];
  const { shares, tasks } = sharesOf(lane);
  shares.forEach((share, i) => {
    if (Number.isFinite(share) && !(share >= value)) [value, who] = [share, tasks[i] ?? -1];
  });
  return { value, about: lane.names.tasks[who] ?? '' };
}

/**
 * The longest wait of a thread that has run before: of one group or thread, or of all, and then whose it is. A thread
 * that always runs at once waits 0 ns; that is known when it has run twice.
 */
function longestWait(lane: MeasuredLane, of: string): Reading {
  const [longest, runs] = [lane.calm.task('longestWaitNs'), lane.calm.task('switches')];
  if (of === '') {
    const value = lane.metric('longestWait');
    const who = value > 0 ? begun(lane).find((t) => longest[t] === value) : undefined;
    return { value, about: lane.names.tasks[who ?? -1] ?? '' };
  }
  const waits = begun(lane).flatMap((t) => {
    const wait = longest[t] ?? 0;
    return isOf(lane, t, of) && (wait > 0 || (runs[t] ?? 0) > 1) ? [wait] : [];
  });
  return { value: waits.length > 0 ? Math.max(...waits) : Number.NaN, about: of };
}

/** When the last thread ended; until then, how many have ended. */
function last(lane: MeasuredLane): Reading {
  const state = lane.calm.task('state');
  const all = begun(lane);
  const ended = all.filter((t) => state[t] === TaskState.finished).length;
  const value = lane.metric('lastExit');
  return {
    value,
    about: Number.isFinite(value) ? '' : `${String(ended)} of ${String(all.length)} finished`,
  };
}

/** The slowest clock of a CPU that works, as a part of full speed. */
function slowestClock(lane: MeasuredLane): Reading {
  const [curr, speed] = [lane.calm.cpu('curr'), lane.calm.cpu('speed')];
  let value = Number.NaN;
  for (let cpu = 0; cpu < lane.calm.cpus; cpu++) {
    const s = speed[cpu] ?? Number.NaN;
    if ((curr[cpu] ?? -1) >= 0 && !(s >= value)) value = s;
  }
  return { value, about: '' };
}

/** In the order of the list that a reader chooses from. */
export const MEASURES: readonly Measure[] = [
  {
    id: 'leastShare',
    name: 'CPU of the unluckiest thread',
    price: 'the least share',
    isSum: true,
    better: 'higher',
    question: () => 'How much CPU does the unluckiest thread get?',
    read: least,
    show: percentOf,
    differ: (by) => amount(percentOf(by).number, 'points'),
  },
  {
    id: 'share',
    name: 'CPU of one group',
    price: 'its share',
    isSum: true,
    better: 'none',
    question: (of) => `How much CPU does ${of} get?`,
    read: (lane, of) => ({ value: groupsShare(lane, of), about: of }),
    show: percentOf,
    differ: (by) => amount(percentOf(by).number, 'points'),
  },
  {
    id: 'throughput',
    name: 'work done, in threads alone',
    price: 'work done',
    isSum: true,
    better: 'higher',
    question: () => 'How much work gets done at once?',
    read: throughput,
    show: ratioOf,
    differ: ratioOf,
  },
  {
    id: 'lastExit',
    name: 'end of the last thread',
    price: 'last exit',
    isSum: false,
    better: 'lower',
    question: () => 'When is the last thread finished?',
    read: last,
    show: timeOf,
    differ: timeOf,
  },
  {
    id: 'longestWait',
    name: 'longest wait',
    price: 'longest wait',
    isSum: false,
    better: 'lower',
    question: (of) => (of === '' ? 'How long is the longest wait?' : `How long does ${of} wait?`),
    read: longestWait,
    show: timeOf,
    differ: timeOf,
  },
  {
    id: 'switchCost',
    name: 'cost of a switch',
    price: 'cost of a switch',
    isSum: false,
    better: 'lower',
    question: () => 'What does a switch cost?',
    read: core('switchCost'),
    show: timeOf,
    differ: timeOf,
  },
  {
    id: 'fullestCore',
    name: 'threads on the fullest core',
    price: 'on the fullest core',
    isSum: false,
    better: 'lower',
    question: () => 'How many threads has the fullest core?',
    read: fullest,
    show: countOf,
    differ: countOf,
  },
  {
    id: 'clock',
    name: 'slowest clock of a busy CPU',
    price: 'the slowest clock',
    isSum: false,
    better: 'higher',
    question: () => 'How fast does the slowest clock run?',
    read: slowestClock,
    show: clockOf,
    differ: (by) => amount(percentOf(by).number, 'points'),
  },
  {
    id: 'moves',
    name: 'moves of jobs',
    price: 'moves of jobs',
    isSum: true,
    better: 'lower',
    question: () => 'How often do jobs move?',
    read: counted('migrations', (total) => total.migrations),
    show: countOf,
    differ: countOf,
  },
  {
    id: 'workLost',
    name: 'work lost while running',
    price: 'work lost while running',
    isSum: true,
    better: 'lower',
    question: () => 'How much work is lost while threads run?',
    read: workLost,
    show: percentOf,
    differ: (by) => amount(percentOf(by).number, 'points'),
  },
  {
    id: 'switches',
    name: 'context switches',
    price: 'context switches',
    isSum: true,
    better: 'none',
    question: () => 'How often do CPUs switch threads?',
    read: counted('switches', (total) => total.switches),
    show: countOf,
    differ: countOf,
  },
  {
    id: 'idleWhileWaiting',
    name: 'CPUs idle while others wait',
    price: 'idle while others wait',
    isSum: false,
    better: 'lower',
    question: () => 'How many CPUs are idle while somebody waits?',
    read: core('idleWhileWaiting'),
    show: cpusOf,
    differ: cpusOf,
  },
  {
    id: 'missedDeadlines',
    name: 'deadlines missed',
    price: 'deadlines missed',
    isSum: false,
    better: 'lower',
    question: () => 'How many deadlines are missed?',
    read: core('missedDeadlines'),
    show: percentOf,
    differ: (by) => amount(percentOf(by).number, 'points'),
  },
];

const BY_ID = new Map(MEASURES.map((m) => [m.id, m]));

/** The measure of an id. */
export function measureOf(id: MeasureId): Measure {
  const found = BY_ID.get(id);
  if (!found) throw new Error(`no measure is called ${id}`);
  return found;
}

/** Whether a word is the id of a measure. */
export function isMeasureId(word: string): word is MeasureId {
  return BY_ID.has(word as MeasureId);
}
