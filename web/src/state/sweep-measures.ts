/** What a sweep of one's own can measure, and where the core's probe `sweep` has it. Pure functions. */
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';

/** Something that can be measured. */
export interface Measured {
  readonly id: string;
  /** Of what: empty for the whole run, the name of a group, or `thread/` and that of a thread. */
  readonly of: string;
  readonly label: string;
  readonly unit: string;
  readonly definition: string;
  /** What the core's value is divided by. */
  readonly by: number;
  /** The core's value in what the probe gave; NaN if there is none. */
  read(given: ArrayLike<number>): number;
}

type Words = readonly [id: string, label: string, definition: string];

/** Of the whole run, before the metrics of the catalog; `TIMES` of the core. */
const TIMES: readonly Words[] = [
  ['elapsedNs', 'elapsed time', 'Simulated time of the run.'],
  ['cpuPerThreadNs', 'CPU time per thread', 'Mean over the threads of the workload.'],
  ['firstExitNs', 'first exit', 'When the first thread ended, if all did.'],
  ['lastExitNs', 'last exit', 'When the last thread ended, if all did.'],
];

const WAITS: readonly Words[] = [
  ['waitNs', 'waiting', 'Time waiting for a CPU.'],
  ['longestWaitNs', 'longest wait', 'The longest wait of a thread that has run before.'],
  [
    'longestFirstWaitNs',
    'longest first wait',
    'The longest wait of a thread before its first run.',
  ],
];

/** Of a group; `OF_GROUP` of the core. */
const OF_GROUP: readonly Words[] = [
  ['threads', 'threads', 'Threads of the group, those that have ended included.'],
  ['cpuNs', 'CPU time', 'CPU time of all its threads.'],
  ['share', 'share of CPU time', 'Part of the CPU time of all threads.'],
  ['workNs', 'work', 'Work done, as time at full speed.'],
  ...WAITS,
  ['switches', 'switches', 'How often its threads were switched in.'],
  ['migrations', 'migrations', 'How often they ran on another CPU than before.'],
  ['placements', 'placements', 'Threads that were placed on another CPU when they were forked.'],
];

/** Of a thread; `OF_THREAD` of the core. */
const OF_THREAD: readonly Words[] = [
  ['cpuNs', 'CPU time', 'CPU time of the thread.'],
  ['workNs', 'work', 'Work done, as time at full speed.'],
  WAITS[0] ?? ['', '', ''],
  ['sleepNs', 'asleep', 'Time asleep.'],
  ...WAITS.slice(1),
  ['switches', 'switches', 'How often it was switched in.'],
  ['involuntary', 'preemptions', 'How often it left the CPU against its will.'],
  ['migrations', 'migrations', 'How often it ran on another CPU than before.'],
  ['placements', 'placements', 'Whether it was placed on another CPU when it was forked: 0 or 1.'],
  ['exitedAtNs', 'exit', 'When it ended, if it did.'],
];

/** What stands before the measures: events, both halves of the digest, how many groups there are. */
const HEAD = { events: 0, digest: 1, groups: 3, size: 4 } as const;
/** What stands before the columns of a thread: the position of its group and its number there. */
const THREAD_HEAD = 2;
/** So many threads of a run are measured one by one, as they began; `THREADS` of the core. */
const MAX_THREADS = 64;

const unitOf = (id: string) => (id.endsWith('Ns') ? 's' : '');

function made(
  of: string,
  words: readonly Words[],
  read: (column: number) => Measured['read'],
): Measured[] {
  return words.map(([id, label, definition], i) => ({
    id: of === '' ? id : `${of}/${id}`,
    of,
    label,
    unit: unitOf(id),
    definition,
    by: unitOf(id) === 's' ? 1e9 : 1,
    read: read(i),
  }));
}

/** Of the whole run. */
function ofRun(catalog: Catalog): Measured[] {
  const at = (i: number) => (given: ArrayLike<number>) => given[HEAD.size + i] ?? NaN;
  return [
    ...made('', TIMES, at),
    ...catalog.metrics.map((m, i) => ({
      id: m.id,
      of: '',
      label: m.name,
      unit: m.unit === 'ns' ? 'ms' : m.unit === 'perSecond' ? '/s' : '',
      definition: m.summary,
      by: m.unit === 'ns' ? 1e6 : 1,
      read: at(TIMES.length + i),
    })),
  ];
}

/** Everything that can be measured of the runs of a scenario: of the whole, of its groups, of its threads. */
export function measuredBy(catalog: Catalog, { groups }: Pick<Scenario, 'groups'>): Measured[] {
  const first = HEAD.size + TIMES.length + catalog.metrics.length;
  const size = OF_THREAD.length + THREAD_HEAD;
  const ofGroup = (group: number) => (column: number) => (given: ArrayLike<number>) =>
    given[first + group * OF_GROUP.length + column] ?? NaN;
  const ofThread = (group: number, number: number) => (column: number) => {
    return (given: ArrayLike<number>): number => {
      const begin = first + (given[HEAD.groups] ?? 0) * OF_GROUP.length;
      for (let at = begin; at + size <= given.length; at += size) {
        if (given[at] === group && given[at + 1] === number)
          return given[at + THREAD_HEAD + column] ?? NaN;
      }
      return NaN;
    };
  };
  const names = groups.flatMap(({ name, count }, group) =>
    Array.from({ length: Math.min(count, MAX_THREADS) }, (_, i) => ({
      name,
      group,
      number: i + 1,
    })),
  );
  return [
    ...ofRun(catalog),
    ...groups.flatMap((group, i) => made(group.name, OF_GROUP, ofGroup(i))),
    ...names
      .slice(0, MAX_THREADS)
      .flatMap(({ name, group, number }) =>
        made(`thread/${name}-${String(number)}`, OF_THREAD, ofThread(group, number)),
      ),
  ];
}

/** Events of a run. */
export function eventsOf(given: ArrayLike<number>): number {
  return given[HEAD.events] ?? NaN;
}

/** Digest of a run, as everywhere. */
export function digestOf(given: ArrayLike<number>): string {
  const half = (i: number) => (given[HEAD.digest + i] ?? 0).toString(16).padStart(8, '0');
  return half(0) + half(1);
}
