/** What a timeline shows as a table: what happened in its window, for each CPU, queue, group, thread or cause. */
import { count, NOTHING, percent, plain, withUnit } from '../../lib/format';
import type { LaneNames, Past } from '../../sim/protocol';
import type { Samples } from '../../sim/samples';
import type { CauseEntry } from '../../sim/types/CauseEntry';
import type { TimelineTab } from '../../state/time-window.svelte';
import type { Slices } from './feed.svelte';
import { NOBODY, WORDS } from './stretches';

/** Part of a run, in simulated ns. */
export interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/** A table in words. */
export interface Twin {
  /** What it is about. */
  readonly what: string;
  readonly span: Span;
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
}

/** Who ran on each CPU: how much of the time it was busy, with how many threads, and with whom most. */
export function runsTwin(
  span: Span,
  order: readonly number[],
  slices: Slices,
  names: LaneNames,
): Twin {
  const { fromNs, toNs } = span;
  const whole = Math.max(1, toNs - fromNs);
  const rows = order.map((cpu) => {
    const had = new Map<number, number>();
    let switches = 0;
    for (const { from, to, task } of slices[cpu] ?? []) {
      const ns = Math.min(to, toNs) - Math.max(from, fromNs);
      if (ns <= 0) continue;
      if (from > fromNs) switches += 1;
      if (task >= 0) had.set(task, (had.get(task) ?? 0) + ns);
    }
    const busy = [...had.values()].reduce((sum, ns) => sum + ns, 0);
    const [most] = [...had].sort((a, b) => b[1] - a[1]);
    const whom = most ? `${names.tasks[most[0]] ?? ''} ${percent(most[1] / whole)}` : NOTHING;
    return [`cpu ${String(cpu)}`, percent(busy / whole), count(had.size), whom, count(switches)];
  });
  return { what: 'Who ran', span, head: ['CPU', 'Busy', 'Threads', 'Mostly', 'Switches'], rows };
}

/** The same where slices are too many: from stretches, each with the thread that had most of it. */
export function stretchesTwin(
  span: Span,
  order: readonly number[],
  past: Past & { kind: 'stretches' },
  names: LaneNames,
): Twin {
  const { fromNs, toNs } = span;
  const cpus = order.length;
  const all = Math.floor(past.words.length / (WORDS * cpus));
  const first = Math.max(0, Math.floor((fromNs - past.fromNs) / past.lengthNs));
  const end = Math.min(all, Math.ceil((toNs - past.fromNs) / past.lengthNs));
  const stretches = Math.max(1, end - first);
  const rows = order.map((cpu) => {
    const had = new Map<number, number>();
    let busy = 0;
    for (let i = first; i < end; i++) {
      const word = (k: number) => past.words[(i * cpus + cpu) * WORDS + k] ?? 0;
      if (word(2) === NOBODY) continue;
      busy += word(4) / NOBODY;
      had.set(word(0), (had.get(word(0)) ?? 0) + 1);
    }
    const [most] = [...had].sort((a, b) => b[1] - a[1]);
    const whom = most ? (names.tasks[most[0]] ?? NOTHING) : NOTHING;
    return [`cpu ${String(cpu)}`, percent(busy / stretches), whom];
  });
  return { what: 'Who ran', span, head: ['CPU', 'Busy', 'Mostly'], rows };
}

/** Least, mean, largest and last of the values whose time is in the window. */
function summary(
  { fromNs, toNs }: Span,
  times: readonly number[],
  values: readonly number[],
  show: (value: number) => string,
): string[] {
  const known = values.filter(
    (v, i) => Number.isFinite(v) && (times[i] ?? 0) >= fromNs && (times[i] ?? 0) <= toNs,
  );
  if (known.length === 0) return [NOTHING, NOTHING, NOTHING, NOTHING];
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const mean = known.reduce((a, b) => a + b) / known.length;
  return [least, mean, most, known.at(-1) ?? Number.NaN].map(show);
}

const SUMMARY = ['Least', 'Mean', 'Most', 'Last'] as const;

/** How many wait: in the queue of all and in those of the CPUs. */
export function waitingTwin(
  span: Span,
  samples: Samples,
  order: readonly number[],
  has: { readonly global: boolean; readonly perCpu: boolean },
): Twin {
  const queue = (name: string, cpu: number) => [
    name,
    ...summary(span, samples.times, samples.waiting(cpu), (n) => withUnit(n, '')),
  ];
  const rows = [
    ...(has.global ? [queue('queue of all', -1)] : []),
    ...(has.perCpu ? order.map((cpu) => queue(`cpu ${String(cpu)}`, cpu)) : []),
  ];
  return { what: 'Threads that waited', span, head: ['Queue', ...SUMMARY], rows };
}

/** CPUs that groups had, or that the chosen threads had. */
export function sharesTwin(span: Span, samples: Samples, names: LaneNames): Twin {
  const isOfThreads = samples.tasks.length > 0;
  const rows = isOfThreads
    ? samples.tasks.map((task) => {
        const { times, values } = samples.taskShare(task);
        return [names.tasks[task] ?? '', ...summary(span, times, values, percent)];
      })
    : names.groups.map((group, i) => {
        const { times, values } = samples.groupShare(i);
        return [group.name, ...summary(span, times, values, plain)];
      });
  const what = isOfThreads ? 'Share of a CPU' : 'CPUs that a group had';
  return { what, span, head: [isOfThreads ? 'Thread' : 'Group', ...SUMMARY], rows };
}

/** A value that the scheduler keeps of threads. */
export function valuesTwin(
  span: Span,
  samples: Samples,
  names: LaneNames,
  column: { readonly index: number; readonly label: string; readonly unit: string },
): Twin {
  const rows = samples.tasks.map((task) => [
    names.tasks[task] ?? '',
    ...summary(span, samples.times, samples.own(task, column.index), (v) =>
      withUnit(v, column.unit),
    ),
  ]);
  return { what: column.label, span, head: ['Thread', ...SUMMARY], rows };
}

/** Where the time on a CPU went, of a thread or of all. */
export function speedTwin(
  span: Span,
  samples: Samples,
  causes: readonly CauseEntry[],
  task: number | null,
): Twin {
  const rows = causes.map((cause, i) => {
    const { times, values } = samples.causeShare(i, task);
    return [cause.name, ...summary(span, times, values, percent)];
  });
  return { what: 'Where time on a CPU went', span, head: ['To', ...SUMMARY], rows };
}

/** What tables are made from. */
export interface TwinInput {
  readonly order: readonly number[];
  readonly names: LaneNames;
  readonly hasQueues: { readonly global: boolean; readonly perCpu: boolean };
  readonly causes: readonly CauseEntry[];
  readonly column: { readonly index: number; readonly label: string; readonly unit: string };
  readonly slices: Slices | null;
  readonly stretches: (Past & { kind: 'stretches' }) | null;
  readonly samples: Samples | null;
  /** What is shown while nothing newer is known. */
  readonly last: Twin | null;
}

/** The table of what a timeline shows; null where it shows a list, which is one. */
export function twinOf(tab: TimelineTab, span: Span, of: TwinInput): Twin | null {
  const { order, names, samples } = of;
  if (tab === 'events' || tab === 'queues') return null;
  if (tab === 'runs') {
    if (of.slices) return runsTwin(span, order, of.slices, names);
    return of.stretches ? stretchesTwin(span, order, of.stretches, names) : of.last;
  }
  if (!samples) return of.last;
  switch (tab) {
    case 'waiting':
      return waitingTwin(span, samples, order, of.hasQueues);
    case 'shares':
      return sharesTwin(span, samples, names);
    case 'values':
      return valuesTwin(span, samples, names, of.column);
    case 'speed':
      return speedTwin(span, samples, of.causes, samples.tasks[0] ?? null);
  }
}
