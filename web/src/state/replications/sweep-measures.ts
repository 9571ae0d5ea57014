/** What the reader's own sweep can measure, by the column names of the core's probe `sweep`. Pure functions. */
import type { Seen } from '../../sim/sweep/protocol';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';

/** Something that can be measured. */
export interface Measured {
  readonly id: string;
  /** Its subject: empty for the whole run, the name of a group, or `thread/` and the name of a thread. */
  readonly of: string;
  readonly label: string;
  readonly unit: string;
  readonly definition: string;
  /** The divisor of the core's value. */
  readonly by: number;
  /** The core's value in the result of the probe; NaN if there is none. */
  read(seen: Seen): number;
}

type Words = readonly [id: string, label: string, definition: string];

/** Measures of the whole run, before the metrics of the catalog; `TIMES` of the core. */
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

/** Measures of a group; `OF_GROUP` of the core. */
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

/** Measures of a thread; `OF_THREAD` of the core. */
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

/** Threads that are measured one by one, in the order in which they began; `THREADS` of the core. */
const MAX_THREADS = 64;

/** Positions of columns by name. There are hundreds, and a file of rows reads all of them for each row. */
const positions = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

function positionsOf(columns: readonly string[]): ReadonlyMap<string, number> {
  let found = positions.get(columns);
  if (!found) {
    found = new Map(columns.map((name, i) => [name, i]));
    positions.set(columns, found);
  }
  return found;
}

/** The value of a column; NaN if there is none. */
function valueOf({ columns, values }: Seen, column: string): number {
  return values[positionsOf(columns).get(column) ?? -1] ?? NaN;
}

const unitOf = (id: string) => (id.endsWith('Ns') ? 's' : '');

function made(of: string, words: readonly Words[], read: (id: string) => Measured['read']) {
  return words.map(([id, label, definition]): Measured => ({
    id: of === '' ? id : `${of}/${id}`,
    of,
    label,
    unit: unitOf(id),
    definition,
    by: unitOf(id) === 's' ? 1e9 : 1,
    read: read(id),
  }));
}

const named = (column: string) => (seen: Seen) => valueOf(seen, column);

/** Measures of the whole run. */
function ofRun(catalog: Catalog): Measured[] {
  return [
    ...made('', TIMES, named),
    ...catalog.metrics.map((m) => ({
      id: m.id,
      of: '',
      label: m.name,
      unit: m.unit === 'ns' ? 'ms' : m.unit === 'perSecond' ? '/s' : '',
      definition: m.summary,
      by: m.unit === 'ns' ? 1e6 : 1,
      read: named(m.id),
    })),
  ];
}

/** A value of a thread, given by the index of its group and its number in it. Each run says which thread that is. */
const ofThread = (group: number, number: number) => (id: string) => (seen: Seen) => {
  for (let i = 0; i < MAX_THREADS; i++) {
    const thread = `thread/${String(i)}`;
    const isIt =
      valueOf(seen, `${thread}/group`) === group && valueOf(seen, `${thread}/number`) === number;
    if (isIt) return valueOf(seen, `${thread}/${id}`);
  }
  return NaN;
};

/** Everything that can be measured in the runs of a scenario: the whole run, its groups, its threads. */
export function measuredBy(catalog: Catalog, { groups }: Pick<Scenario, 'groups'>): Measured[] {
  const threads = groups.flatMap(({ name, count }, group) =>
    Array.from({ length: Math.min(count, MAX_THREADS) }, (_, i) => ({
      of: `thread/${name}-${String(i + 1)}`,
      read: ofThread(group, i + 1),
    })),
  );
  return [
    ...ofRun(catalog),
    ...groups.flatMap(({ name }) => made(name, OF_GROUP, (id) => named(`${name}/${id}`))),
    ...threads.slice(0, MAX_THREADS).flatMap(({ of, read }) => made(of, OF_THREAD, read)),
  ];
}

/** An expression of the reader's own as a measure, with the unit of its value in the run on the stage. */
export function measuredAs(text: string, unit: string): Measured {
  const [shown, by] = unit === 'ns' ? ['ms', 1e6] : unit === 'share' ? ['%', 0.01] : ['', 1];
  return {
    id: text,
    of: '',
    label: text,
    unit: shown,
    definition: 'An expression of your own; in it “lane” is the lane of the run.',
    by,
    read: named(text),
  };
}

/** Whether the id of a measure is an expression: only these have brackets. */
export function isExpression(id: string): boolean {
  return id.includes('(');
}

/** The name of a measure: its subject and its label. */
export function nameOf({ of, label }: Pick<Measured, 'of' | 'label'>): string {
  return of === '' ? label : `${of}: ${label}`;
}

/** Events of a run. */
export function eventsOf(seen: Seen): number {
  return valueOf(seen, 'events');
}

/** Digest of a run, as everywhere. */
export function digestOf(seen: Seen): string {
  const half = (column: string) => (valueOf(seen, column) || 0).toString(16).padStart(8, '0');
  return half('digestHigh') + half('digestLow');
}
