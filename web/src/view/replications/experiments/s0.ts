/** Jeremy 2013: N copies of an array loop under 4BSD and ULE, on two machines with three working sets. */
import data from '../../../../../scenarios/published/s0-v890.json';
import { type ChartSpec, type Curve, type Moment, published } from '../curves';
import type { ExperimentPage } from './types';

const SETS = [
  ['1024', '1 KiB'],
  ['4194304', '4 MiB'],
  ['33554432', '32 MiB'],
] as const;
const NAMES: Readonly<Record<string, string>> = { '4bsd': '4BSD', ule: 'ULE' };
/** Values of the core's probe `exits`. */
const [ELAPSED, CPU, EFFICIENCY] = [1, 2, 3] as const;

const MEASURES = [
  {
    id: 'efficiency',
    title: 'Efficiency',
    definition:
      'Elapsed time × busy CPUs ÷ total CPU time. A perfect scheduler has 1; more is worse.',
    y: { label: 'elapsed × CPUs ÷ CPU time', unit: '' },
    column: EFFICIENCY,
    by: 1,
  },
  {
    id: 'elapsed',
    title: 'Elapsed time',
    definition: 'From the common start to the last exit.',
    y: { label: 'elapsed time', unit: 's' },
    column: ELAPSED,
    by: 1e9,
  },
  {
    id: 'cpu',
    title: 'CPU time',
    definition: 'CPU time of a process, mean over the processes.',
    y: { label: 'CPU time per process', unit: 's' },
    column: CPU,
    by: 1e9,
  },
] as const;

const rows = data.rows as [number, number, number][];
const sawtooth: readonly Curve[] = [
  published(
    'surplus never moves',
    2,
    'inferred',
    rows.map((r) => [r[0], r[1]]),
  ),
  published(
    'surplus wanders',
    5,
    'inferred',
    rows.map((r) => [r[0], r[2]]),
  ),
];

/** All sets of one measure in one chart, and each set by itself. */
function charts(machine: string): ChartSpec[] {
  return MEASURES.flatMap((m): ChartSpec[] => {
    const common = {
      definition: m.definition,
      x: { label: 'processes' },
      y: m.y,
      value: (values: ArrayLike<number>) => (values[m.column] ?? NaN) / m.by,
    };
    const single = SETS.map(([bytes, set]): ChartSpec => ({
      ...common,
      id: `${m.id}-${bytes}`,
      title: `${m.title}, ${set}`,
      series: ['4BSD', 'ULE'],
      place: ([, scheduler = '', of, n]) =>
        of === bytes ? { series: NAMES[scheduler] ?? scheduler, x: Number(n) } : null,
      published: m.id === 'efficiency' && machine === 'v890' && bytes === '1024' ? sawtooth : [],
    }));
    const overlay: ChartSpec = {
      ...common,
      id: m.id,
      title: `${m.title}, all working sets`,
      series: SETS.flatMap(([, set]) => [`4BSD ${set}`, `ULE ${set}`]),
      place: ([, scheduler = '', of, n]) => {
        const set = SETS.find(([bytes]) => bytes === of)?.[1] ?? '';
        return { series: `${NAMES[scheduler] ?? scheduler} ${set}`, x: Number(n) };
      },
    };
    return [...single, overlay];
  });
}

const SOURCE = 'P. Jeremy, FreeBSD 4BSD vs ULE Scheduler, FreeBSD wiki, 2013-06-30';
const WORKLOAD =
  'N copies of a program that goes round an array and adds one to each element, started together. They never sleep; nothing else runs.';
const METRIC =
  'Elapsed time until the last exit, CPU time per process, and efficiency: elapsed × min(N, CPUs) ÷ total CPU time.';
const NOTE =
  'The source shows plots and says what they show; it gives no numbers. How long one process runs alone is not said: 10 s here. The rings are computed from ULE’s rules, not measured.';
const XEON_CLAIMS = ['J2', 'J5', 'J6', 'J9', 'J13', 'J14'];
/** J13 compares both machines. */
const needsBoth = (words: readonly string[]) => words[0] === 'v890' && words[2] === '1024';

/** Work of a process alone: then the first of them end, and the round of those that wait is still to come. */
const moment: Moment = {
  atNs: (_, scenario) => {
    const workMs = scenario.groups[0]?.behaviour.params['workMs'];
    return (typeof workMs === 'number' ? workMs : 10_000) * 1e6 * 1.02;
  },
  look: 'The second round: processes that had a CPU to themselves have ended, those that share one have half of their work left. Watch whether the CPUs that fall idle get any of it.',
};

/** Sun Fire V890. */
export const S0_V890: ExperimentPage = {
  id: 's0-v890',
  experiment: 'S0',
  title: 'More hogs than cores: 4BSD and ULE on 16 cores',
  source: SOURCE,
  machine: 'Sun Fire V890: 16 UltraSPARC-IV cores, no SMT, 8 MiB of L2 each',
  era: 'FreeBSD 10-current, November 2011',
  workload: WORKLOAD,
  metric: METRIC,
  note: NOTE,
  wants: (words) => words[0] === 'v890',
  claims: (id) => !XEON_CLAIMS.includes(id),
  charts: charts('v890'),
  moment,
  whatIf: [
    { label: 'ULE’s balancer off', tunables: { ule: { balance: 0 } } },
    { label: 'ULE steals from two threads on', tunables: { ule: { stealThresh: 2 } } },
    { label: 'ULE balances ten times as often', tunables: { ule: { balanceInterval: 13 } } },
    { label: 'ULE of 2013', eras: { ule: '2013-06' } },
  ],
};

/** Xeon E3. */
export const S0_XEON: ExperimentPage = {
  id: 's0-xeon',
  experiment: 'S0',
  title: 'More hogs than cores: 4BSD and ULE on 4 cores of 2 threads',
  source: SOURCE,
  machine: 'Xeon E3-1230v3: 4 cores × 2 threads, 8 MiB of shared L3',
  era: 'FreeBSD 10-current, June 2013',
  workload: WORKLOAD,
  metric: METRIC,
  note: `${NOTE} Two processes on a core do together about as much as one alone (claim J5). Claim J13 compares with the V890, so its runs are made too.`,
  wants: (words) => words[0] === 'e3' || needsBoth(words),
  claims: (id) => XEON_CLAIMS.includes(id),
  charts: charts('e3').map((chart) => ({
    ...chart,
    place: (words) => (words[0] === 'e3' ? chart.place(words) : null),
  })),
  moment,
  whatIf: [
    { label: 'ULE knows nothing of SMT', tunables: { ule: { topology: 1 } } },
    { label: 'ULE’s balancer off', tunables: { ule: { balance: 0 } } },
    { label: 'ULE’s idle CPUs do not steal', tunables: { ule: { stealIdle: 0 } } },
  ],
};
