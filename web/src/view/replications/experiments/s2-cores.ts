/** Bouron et al. 2018, 32 cores: threads set free, threads created, and one thread for each core. */
import data from '../../../../../scenarios/published/s2-battle.json';
import { type ChartSpec, published } from '../curves';
import type { HeatSpec, TableSpec } from '../figures';
import { ERA, isOf, looks, SOURCE } from './s2';
import type { ExperimentPage } from './types';

const MACHINE = '32 cores of Opterons, here 4 × 6134: eight nodes of four cores; not published';
const CORES = 32;
const FAIR = 16;
const NAMES: Readonly<Record<string, string>> = {
  cfs: 'CFS',
  ule: 'ULE, in Linux',
  'ule-native': 'ULE, at home',
};
const lane = (words: readonly string[]) => NAMES[words[1] ?? ''] ?? '';
const place = (claim: string) => (words: readonly string[]) =>
  words[0] === claim ? { series: lane(words), x: 0 } : null;

/** What the probe of the queues saw: seconds since a moment, moves, lengths. */
interface Look {
  readonly s: number;
  readonly moves: number;
  readonly lengths: readonly number[];
}

/** S2c: from the release, which is the first look. */
function released(values: ArrayLike<number>): Look[] {
  const all = looks(values, 3 + CORES);
  const from = all[0]?.[0] ?? 0;
  return all.map(([t = 0, moves = 0, , ...lengths]) => ({
    s: Math.round((t - from) / 1e5) / 1e4,
    moves,
    lengths,
  }));
}

/** S2d: from the first creation; the largest difference since the last look comes first. */
export const CREATION_NS = 1e9;
function created(values: ArrayLike<number>): (Look & { readonly largest: number })[] {
  return looks(values, 4 + CORES).map(([largest = 0, t = 0, moves = 0, , ...lengths]) => ({
    s: Math.round((t - CREATION_NS) / 1e6) / 1e3,
    largest,
    moves,
    lengths,
  }));
}

const spread = (lengths: readonly number[]) => Math.max(...lengths) - Math.min(...lengths);

const { release } = data;
const own = release.uleSecondsWithItsOwnClock;

const releaseMap: HeatSpec = {
  kind: 'heat',
  id: 'queues',
  title: 'Run queues after the release',
  definition:
    'A row for each core, darker where more threads are runnable; time counts from the moment at which the threads are set free. Dashed: what the source says.',
  x: { label: 'time since the release (s)' },
  series: Object.values(NAMES),
  fair: FAIR,
  place: place('c'),
  grid(values) {
    const all = released(values);
    return { times: all.map((l) => l.s), lengths: all.map((l) => l.lengths) };
  },
  marks: {
    CFS: { x: release.cfsSeconds, label: 'about 400 moves before 0.2 s' },
    'ULE, in Linux': { x: release.uleSeconds, label: 'four minutes' },
    'ULE, at home': { x: own.value, label: '465 runs of 0.992 s (inferred)' },
  },
};

const overRelease = {
  x: { label: 'time since the release (s)', log: true },
  series: Object.values(NAMES),
  place: place('c'),
  value: () => NaN,
};

function* along(values: ArrayLike<number>, words: readonly string[], of: (look: Look) => number) {
  const series = lane(words);
  for (const look of released(values)) if (look.s > 0) yield { series, x: look.s, y: of(look) };
}

const slope = (name: string, hue: number, end: number) =>
  published(
    name,
    hue,
    'inferred',
    [0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 1].map((part) => [end * part, 481 - 465 * part]),
  );

const difference: ChartSpec = {
  ...overRelease,
  id: 'difference',
  title: 'Difference of the queues',
  definition: 'The longest run queue minus the shortest, in threads; 0 is perfect.',
  y: { label: 'longest − shortest queue', unit: 'threads' },
  over: (values, words) => along(values, words, (l) => spread(l.lengths)),
};

const coreZero: ChartSpec = {
  ...overRelease,
  id: 'core0',
  title: 'Threads on core 0',
  definition:
    'Runnable threads of the core on which all were pinned. Idle cores take one each; then ULE’s balancer takes one in each run.',
  y: { label: 'threads on core 0', unit: '' },
  over: (values, words) => along(values, words, (l) => l.lengths[0] ?? NaN),
  published: [
    slope('one in each run, 240 s', 1, release.uleSeconds),
    slope('one in each run, 461 s', 2, own.value),
  ],
};

const moves: ChartSpec = {
  ...overRelease,
  id: 'moves',
  title: 'Threads moved',
  definition: 'Threads that the scheduler moved to another queue since the release.',
  y: { label: 'moves', unit: '' },
  over: (values, words) => along(values, words, (l) => l.moves),
  published: [
    published('CFS: around 400', 0, 'stated', [[release.cfsSeconds, release.cfsMigrations]]),
  ],
};

/** Load balancing. */
export const S2C: ExperimentPage = {
  id: 's2c',
  experiment: 'S2',
  title: 'Load balancing: 512 threads set free on 32 cores',
  source: SOURCE,
  machine: MACHINE,
  era: ERA,
  workload: '512 threads that only compute, all pinned to core 0, are unpinned at one instant.',
  metric: 'Length of the run queue of each core, over time; moves; time until all have 16.',
  note: 'ULE is run twice: in Linux its balancer counts ticks of 4 ms and runs every 0.26 to 0.77 s, at home every 0.5 to 1.5 s. CFS moves more threads here than published; that depends on groups and on the number of nodes, which the source does not give. Its seeds differ in the moment of the release.',
  wants: isOf('c'),
  claims: (id) => id === 'S2c',
  charts: [releaseMap, difference, coreZero, moves],
  moment: {
    atNs: (x, scenario) => (scenario.edits[0]?.atNs ?? 5e9) + x * 1e9,
    look: 'The threads have just been set free. Step by migrations: idle cores take one thread each; then CFS moves dozens in one go, ULE one from core 0 in each run of its balancer.',
  },
  whatIf: [
    { label: 'CFS without groups', tunables: { cfs: { groupPerApplication: false } } },
    { label: 'ULE balances ten times as often', tunables: { ule: { balanceInterval: 13 } } },
    { label: 'ULE’s balancer off', tunables: { ule: { balance: 0 } } },
    { label: 'ULE’s idle cores do not steal', tunables: { ule: { stealIdle: 0 } } },
  ],
};

const creationMap: HeatSpec = {
  ...releaseMap,
  id: 'queues',
  title: 'Run queues while threads are created',
  definition:
    'A row for each core, darker where more threads are runnable; time counts from the first creation.',
  x: { label: 'time since the first creation (s)' },
  series: ['CFS', 'ULE, in Linux'],
  place: place('d'),
  grid(values) {
    const all = created(values);
    return { times: all.map((l) => l.s), lengths: all.map((l) => l.lengths) };
  },
  marks: {},
};

const creationSpread: ChartSpec = {
  id: 'difference',
  title: 'Difference of the queues',
  definition:
    'The longest run queue minus the shortest, in threads: the largest difference at any moment of each hundredth of a second.',
  x: { label: 'time since the first creation (s)' },
  y: { label: 'longest − shortest queue', unit: 'threads' },
  series: creationMap.series,
  place: place('d'),
  value: () => NaN,
  *over(values, words) {
    for (const l of created(values)) yield { series: lane(words), x: l.s, y: l.largest };
  },
};

const threads: ChartSpec = {
  ...creationSpread,
  id: 'threads',
  title: 'Threads that have started',
  definition: 'Runnable threads of the program. Each waits until the one before has woken it.',
  y: { label: 'runnable threads', unit: '' },
  *over(values, words) {
    const sum = (lengths: readonly number[]) => lengths.reduce((a, b) => a + b, 0);
    for (const l of created(values)) yield { series: lane(words), x: l.s, y: sum(l.lengths) };
  },
};

/** Placement of new threads. */
export const S2D: ExperimentPage = {
  id: 's2d',
  experiment: 'S2',
  title: 'Thread placement: a ray tracer creates 512 threads',
  source: SOURCE,
  machine: MACHINE,
  era: ERA,
  workload:
    'A parent creates 512 threads one after the other; each waits until the one before has woken it, then computes.',
  metric: 'Length of the run queue of each core while threads start; time until all run.',
  note: 'The source shows maps and gives no numbers. That each thread wakes the next is how the program starts. Under ULE two cores differ by 2 now and then: a woken thread goes to the least loaded of those cores on which it would run at once.',
  wants: isOf('d'),
  claims: (id) => id === 'S2d',
  charts: [creationMap, creationSpread, threads],
  moment: {
    atNs: (x) => CREATION_NS + (x > 0 ? x * 1e9 : 1e8),
    look: 'Look at the lengths of the queues: ULE keeps them within one or two threads of each other; under CFS the chain of wake-ups stays near the core that began it.',
  },
  whatIf: [
    {
      label: 'threads do not wait for each other',
      set: [['/groups/0/behaviour/params/start', 'atOnce']],
    },
    { label: 'CFS without groups', tunables: { cfs: { groupPerApplication: false } } },
    { label: 'ULE’s balancer off', tunables: { ule: { balance: 0 } } },
  ],
};

const WORKLOADS = [
  ['compute-65536', 'ordinary program'],
  ['dhrystone-1', 'Dhrystone'],
  ['loop-16384', 'array loop, 16 KiB'],
  ['loop-1048576', 'array loop, 1 MiB'],
  ['loop-16777216', 'array loop, 16 MiB'],
  ['chase-262144', 'pointer chase, 256 KiB'],
  ['chase-8388608', 'pointer chase, 8 MiB'],
] as const;
/** Value of the probe `exits`. */
const LAST_EXIT = 1;

const overall: TableSpec = {
  kind: 'table',
  id: 'times',
  title: 'Time of seven programs',
  definition: `From the start of the first thread to the end of the last, in seconds. The source gives one number: over all its programs ULE is ahead by ${String(data.overall.uleAheadPercent)} % on average (stated).`,
  columns: ['CFS', 'ULE'],
  rows: WORKLOADS.map(([, label]) => ({ label, unit: 's' })),
  ratio: 'ULE ÷ CFS',
  place: place('e'),
  cells: (values, words) => [
    {
      row: WORKLOADS.findIndex(([id]) => id === words[2]),
      column: words[1] === 'cfs' ? 0 : 1,
      value: (values[LAST_EXIT] ?? NaN) / 1e9,
    },
  ],
};

/** One thread for each core. */
export const S2E: ExperimentPage = {
  id: 's2e',
  experiment: 'S2',
  title: 'One thread for each core: nearly no difference',
  source: SOURCE,
  machine: MACHINE,
  era: ERA,
  workload: '32 threads that never sleep, started one after the other, of seven kinds.',
  metric: 'Time until the last thread has ended.',
  note: 'The source’s mix of programs is not listed; these are the ones that the model has. With large working sets CFS is slower here: some threads leave the node on which their memory is, and nothing brings the pages after them (automatic NUMA balancing is not built).',
  wants: isOf('e'),
  claims: (id) => id === 'S2e',
  charts: [overall],
  moment: {
    atNs: () => 1e9,
    look: 'Each core has one thread. Under CFS some threads have left the node on which they began.',
  },
  whatIf: [
    { label: 'CFS without groups', tunables: { cfs: { groupPerApplication: false } } },
    { label: 'ULE’s balancer off', tunables: { ule: { balance: 0 } } },
  ],
};
