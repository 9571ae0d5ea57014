/** Wong 2011: k instances of Dhrystone on four cores of two threads, under BFS, CFS and by hand. */
import data from '../../../../../scenarios/published/s4-smt.json';
import { type ChartSpec, published } from '../curves';
import type { ExperimentPage } from './types';

const rows = data.rows as [number, number, number, number][];
const column = (i: 1 | 2 | 3): [number, number][] => rows.map((r) => [r[0], r[i]]);
const NAMES: Readonly<Record<string, string>> = {
  manual: 'manual affinity',
  'cfs-1000': 'CFS, 1000 Hz',
  'bfs-1000': 'BFS, 1000 Hz',
  'bfs-100': 'BFS, 100 Hz',
  'cfs-100': 'CFS, 100 Hz',
  'bfs-1000-quiet': 'BFS, no background',
};
/** The probe `totals` looks when measuring begins and at the end; each time it gives so many values. */
const PER_LOOK = 5;
const grown = (values: ArrayLike<number>, i: number) =>
  (values[PER_LOOK + i] ?? NaN) - (values[i] ?? NaN);

const common = {
  x: { label: 'instances' },
  series: Object.values(NAMES),
  place: ([variant = '', k]: readonly string[]) => ({
    series: NAMES[variant] ?? variant,
    x: Number(k),
  }),
};

const throughput: ChartSpec = {
  ...common,
  id: 'throughput',
  title: 'Throughput of all instances',
  definition: 'Work of all instances per time, relative to one instance.',
  y: { label: 'throughput, relative to one', unit: '×' },
  value: (values) => grown(values, 2) / grown(values, 0),
  relativeTo: { x: 1 },
  published: [
    published('ideal, closed form', 7, 'stated', column(1)),
    published('random, closed form', 7, 'stated', column(2)),
    published('manual, stated', 0, 'stated', column(3)),
  ],
};

const migrations: ChartSpec = {
  ...common,
  id: 'migrations',
  title: 'Migrations',
  definition: 'Moves of instances between CPUs in a second.',
  y: { label: 'migrations per second', unit: '/s' },
  value: (values) => grown(values, 4) / (grown(values, 0) / 1e9),
};

/** SMT awareness. */
export const S4: ExperimentPage = {
  id: 's4',
  experiment: 'S4',
  title: 'SMT awareness: BFS between ideal and random placement',
  source: 'H. Wong, Linux SMT-Aware Process Scheduling, 2011',
  machine: 'Core i7 860: 4 cores × 2 threads',
  era: 'Linux 2.6.34 with BFS 0.318, and with CFS',
  workload:
    'k copies of Dhrystone 2.1: integers, tiny, never sleep. Two on a core do 4 % less than one alone.',
  metric: 'Total throughput of all instances, relative to one.',
  note: 'The source gives neither the tick rate nor the daemons that ran; both decide how far BFS strays. Two tick rates are shown, with the model’s background. Without background BFS stays at the ideal.',
  wants: () => true,
  claims: () => true,
  charts: [throughput, migrations],
  moment: {
    // The probe begins to measure after five seconds.
    atNs: () => 5e9,
    look: 'Step by migrations. A daemon wakes, an instance under BFS moves to whatever context is free; sometimes two share a core while another core stands empty.',
  },
  whatIf: [
    { label: 'CFS knows nothing of SMT', tunables: { cfs: { schedSmt: false } } },
    { label: 'no background', set: [['/background', null]] },
    { label: 'BFS with HZ = 250', tunables: { bfs: { hz: 250 } } },
    { label: 'on 6 cores (i7 980X)', set: [['/machine', 'i7980x']] },
  ],
};
