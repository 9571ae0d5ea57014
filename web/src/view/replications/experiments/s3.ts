/** Certner 2024: the share of the CPU by nice value, before and after ULE's single run queue. */
import data from '../../../../../scenarios/published/s3-nice.json';
import { type ChartSpec, published } from '../curves';
import type { ExperimentPage } from './types';

const rows = data.rows as [number, number, number, number, number][];
const ERAS: Readonly<Record<string, string>> = { '15-2024': 'before', '16-2025': 'after' };
const column = (i: 1 | 2 | 3 | 4): [number, number][] => rows.map((r) => [r[0], r[i]]);

const share: ChartSpec = {
  id: 'share',
  title: 'Share of process 1 by its nice value',
  definition:
    'CPU time of process 1 ÷ CPU time of both, over ten simulated minutes. Process 2 has nice 20.',
  x: { label: 'nice value of process 1' },
  y: { label: 'share of process 1', unit: '%' },
  series: ['before', 'after'],
  place: ([era = '', nice]) => ({ series: ERAS[era] ?? era, x: Number(nice) }),
  value: (values) => {
    const [first, second] = [values[0] ?? NaN, values[1] ?? NaN];
    return (100 * first) / (first + second);
  },
  published: [
    published('before, published', 0, 'measured', column(1)),
    published('after, published', 1, 'measured', column(2)),
  ],
};

/** What is simulated minus what is published. */
function difference(): ChartSpec {
  const there = new Map<string, number>();
  for (const r of rows) {
    there.set(`15-2024/${String(r[0])}`, r[1]);
    there.set(`16-2025/${String(r[0])}`, r[2]);
  }
  return {
    ...share,
    id: 'difference',
    title: 'Simulated minus published (Ryzen)',
    definition: 'In points of a percent. The source’s own two machines differ by 0.03 on average.',
    y: { label: 'difference', unit: 'points' },
    value: (values, words) =>
      share.value(values, words) - (there.get(words.slice(0, 2).join('/')) ?? NaN),
    published: [],
  };
}

/** The nice table. */
export const S3: ExperimentPage = {
  id: 's3',
  experiment: 'S3',
  title: 'What nice is worth: ULE before and after its single run queue',
  source:
    'O. Certner, FreeBSD review “sched_ule: Recover previous nice and anti-starvation behaviors”, 2024–2025',
  machine: 'Ryzen 9 3900X, both processes on one core',
  era: 'FreeBSD-current of 2024, and with the series of 2025',
  workload:
    'Two processes that only compute, bound to one core; process 2 has nice 20, process 1 from −20 to 20.',
  metric: 'Mean share of the CPU of process 1 over ten minutes.',
  note: 'No number here was fitted: the curve follows from the clocks, the slice and the number of levels.',
  wants: () => true,
  claims: () => true,
  charts: [share, difference()],
  moment: {
    atNs: () => 10e9,
    look: 'Look at the calendar: at the end of a slice the process is queued so many slots ahead as its priority says. From nice −13 down process 1 gets two slices for one of process 2.',
  },
  whatIf: [
    { label: 'the calendar frozen', tunables: { ule: { calendarTurns: false } } },
    { label: 'slices of one tick', tunables: { ule: { slice: 1 } } },
    { label: 'statistics clock of 128 Hz', tunables: { ule: { stathz: 128 } } },
    { label: 'hz = 100', tunables: { ule: { hz: 100 } } },
  ],
};
