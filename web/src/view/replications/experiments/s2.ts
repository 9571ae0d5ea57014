/** Bouron et al. 2018, one core: interactive threads beside a batch thread, and a web server with its load generator. */
import data from '../../../../../scenarios/published/s2-battle.json';
import { type ChartSpec, published } from '../curves';
import type { TableSpec } from '../figures';
import type { ExperimentPage } from './types';

export const SOURCE =
  'J. Bouron et al., The Battle of the Schedulers: FreeBSD ULE vs. Linux CFS, USENIX ATC 2018';
export const ERA = 'Linux 4.9 with CFS, and with FreeBSD 11.1’s ULE moved into it';
const ONE_CORE = 'One core of a 32-core Opteron; the exact model is not published';

/** Looks of a probe: so many values each. */
export function looks(values: ArrayLike<number>, each: number): number[][] {
  const all = Array.from(values);
  const n = Math.floor(all.length / each);
  return Array.from({ length: n }, (_, i) => all.slice(i * each, (i + 1) * each));
}

/** Of a claim, by the first word of the keys. */
export const isOf = (claim: string) => (words: readonly string[]) => words[0] === claim;

const NAMES: Readonly<Record<string, string>> = {
  cfs: 'CFS',
  'cfs-plain': 'CFS, no groups',
  ule: 'ULE',
};
const LANES = Object.values(NAMES);
/** Both probes: time, then four values for each of two groups. */
const PER_LOOK = 9;
const seconds = (ns = NaN) => Math.round(ns / 1e6) / 1e3;
const place = (claim: string) => (words: readonly string[]) =>
  words[0] === claim ? { series: NAMES[words[1] ?? ''] ?? '', x: 0 } : null;

const cumulative: ChartSpec = {
  id: 'cpu',
  title: 'CPU time of each application',
  definition: 'CPU time that all threads of an application have had so far.',
  x: { label: 'time (s)' },
  y: { label: 'CPU time', unit: 's' },
  series: LANES.flatMap((lane) => [`${lane}: interactive`, `${lane}: batch`]),
  place: place('a'),
  value: () => NaN,
  *over(values, words) {
    const lane = NAMES[words[1] ?? ''] ?? '';
    for (const [t, interactive = NaN, , , , batch = NaN] of looks(values, PER_LOOK)) {
      yield { series: `${lane}: interactive`, x: seconds(t), y: interactive / 1e9 };
      yield { series: `${lane}: batch`, x: seconds(t), y: batch / 1e9 };
    }
  },
};

/** The share is that of one second at a time. */
const STEP_S = 1;
const { sharing } = data;
const share: ChartSpec = {
  ...cumulative,
  id: 'share',
  title: 'Share of the batch application',
  definition:
    'Part of the CPU time of each second that the batch thread had. Under ULE it stands still until the interactive threads have ended, and then has the core to itself.',
  y: { label: 'share of the batch thread', unit: '%' },
  series: LANES,
  *over(values, words) {
    const lane = NAMES[words[1] ?? ''] ?? '';
    let [last, had] = [0, 0];
    for (const [t, , , , , batch = NaN] of looks(values, PER_LOOK)) {
      const now = seconds(t);
      if (now < last + STEP_S) continue;
      yield { series: lane, x: now, y: (100 * (batch / 1e9 - had)) / (now - last) };
      [last, had] = [now, batch / 1e9];
    }
  },
  published: [
    published(
      'CFS: about half',
      0,
      'stated',
      [5, 10, 15].map((x) => [x, 100 * sharing.batchShareUnderCfs]),
    ),
    published(
      'ULE: starved',
      2,
      'stated',
      [5, 10, 15].map((x) => [x, 100 * sharing.batchShareUnderUleWhileTheOthersRun]),
    ),
  ],
};

/** Interactive threads starve a batch thread. */
export const S2A: ExperimentPage = {
  id: 's2a',
  experiment: 'S2',
  title: 'Interactive against batch: who starves',
  source: SOURCE,
  machine: ONE_CORE,
  era: ERA,
  workload:
    'Two applications on one core: 80 threads that compute 2 ms and sleep 38 ms, which would need four cores, and one thread that only computes. Each has 20 s of work.',
  metric: 'CPU time of each application over time.',
  note: 'The source shows plots and says what they show; how long its threads compute and sleep is not said. Half for each application needs a group for each under CFS (autogroup); without groups the batch thread is one of 81.',
  wants: isOf('a'),
  claims: (id) => id === 'S2a',
  charts: [share, cumulative],
  moment: {
    atNs: (x) => (x > 0 ? x * 1e9 : 5e9),
    look: 'Compare the batch thread: under CFS it has half of the core, under ULE it waits behind all interactive threads. Some of these wait for seconds as well.',
  },
  whatIf: [
    { label: 'CFS without groups', tunables: { cfs: { groupPerApplication: false } } },
    { label: 'no thread counts as interactive under ULE', tunables: { ule: { interact: 0 } } },
    {
      label: 'threads that sleep as long as they compute',
      set: [['/groups/0/behaviour/params/sleepUs', 2000]],
    },
  ],
};

/** Requests of a run (`claims/s2_sharing.rs` of the core), and when the injector begins. */
export const [REQUESTS, BEGINS_NS] = [20_000, 1e8] as const;
const { requests } = data;
const MILLION = 1_000_000;

const table: TableSpec = {
  kind: 'table',
  id: 'table',
  title: 'The table of the source',
  definition: `Preemptions of the load injector by threads of the server, and the time of a run, for each request; ${String(REQUESTS / 1000)} thousand requests here, a million in the source.`,
  columns: ['CFS', 'ULE'],
  rows: [
    {
      label: 'preemptions of the injector for a request',
      unit: '',
      published: ['more than 2', requests.preemptions[1] ?? 0],
    },
    {
      label: 'time for a request',
      unit: 'µs',
      published: requests.seconds.map((s) => (s * 1e6) / MILLION),
    },
    { label: 'requests in a second', unit: '', published: requests.requestsPerSecond },
  ],
  ratio: 'ULE ÷ CFS',
  place: place('b'),
  cells(values, words) {
    const column = words[1] === 'cfs' ? 0 : 1;
    const [, , , , , , ended = 0, preempted = NaN] = looks(values, PER_LOOK).at(-1) ?? [];
    const ns = ended > 0 ? (ended - BEGINS_NS) / REQUESTS : NaN;
    return [preempted / REQUESTS, ns / 1e3, 1e9 / ns].map((value, row) => ({ row, column, value }));
  },
};

const preempted: ChartSpec = {
  id: 'preemptions',
  title: 'Preemptions of the injector over time',
  definition:
    'How often the load injector had to leave the core at an instant at which a worker was woken, so far.',
  x: { label: 'time (s)' },
  y: { label: 'preemptions', unit: '' },
  series: ['CFS', 'ULE'],
  place: place('b'),
  value: () => NaN,
  *over(values, words) {
    const series = NAMES[words[1] ?? ''] ?? '';
    for (const [t, , , , , , ended = 0, n = NaN] of looks(values, PER_LOOK)) {
      yield { series, x: seconds(t), y: n };
      if (ended > 0) return;
    }
  },
};

/** Preemption on wake-up. */
export const S2B: ExperimentPage = {
  id: 's2b',
  experiment: 'S2',
  title: 'Preemption on wake-up: a web server and its load generator',
  source: SOURCE,
  machine: ONE_CORE,
  era: ERA,
  workload:
    'One thread keeps 100 requests in flight, 100 threads serve them, all on one core. Each request opens a connection first, so that a worker is woken twice.',
  metric: 'Preemptions of the injector by threads of the server; time and requests in a second.',
  note: 'Calibrated on ULE alone: the CPU work of a request. Not published: working sets (64 KiB here), whether connections are kept, whether server and injector were one application to CFS. The gap between the two is too small here, and grows with the working sets: try 256 KiB.',
  wants: isOf('b'),
  claims: (id) => id === 'S2b',
  charts: [table, preempted],
  moment: {
    atNs: () => BEGINS_NS + 2e6,
    look: 'Step from switch to switch. Under CFS each worker that is woken takes the core from the injector; under ULE the injector goes on until it has nothing left to send.',
  },
  whatIf: [
    {
      label: 'working sets of 256 KiB',
      set: [
        ['/groups/0/workingSetBytes', 262_144],
        ['/groups/1/workingSetBytes', 262_144],
      ],
    },
    {
      label: 'connections are kept',
      set: [
        ['/groups/0/behaviour/params/connect', false],
        ['/groups/1/behaviour/params/connect', false],
      ],
    },
    { label: 'server and injector are two applications', set: [['/groups/1/process', 'ab']] },
    { label: 'CFS does not preempt on wake-up', tunables: { cfs: { wakeupPreemption: false } } },
  ],
};
