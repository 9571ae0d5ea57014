/** Roberson 2007: processes that only yield, on one CPU and on eight. */
import data from '../../../../../scenarios/published/s1-yield.json';
import { type ChartSpec, type Curve, published } from '../curves';
import type { ExperimentPage } from './types';

type Times = [number, number, number];
const rows = data.rows as [number, Times, Times, Times, Times][];
/** Switches of a run of so many processes (`claims/s1.rs` of the core); all yield equally often. */
export const switchesOf = (n: number) => Math.floor((n < 1000 ? 200_000 : 1_000_000) / n) * n;
/** The processes start one after the other, so far apart. */
const SPACING_NS = 10_000;

function measured(name: string, hue: number, column: 1 | 2 | 3 | 4, one: number): Curve {
  return published(
    name,
    hue,
    'measured',
    rows.map((r) => [r[0], r[column][0] / one]),
  );
}

function chart(id: string, machine: string, title: string, columns: [1 | 3, 2 | 4]): ChartSpec {
  // The number of switches is not published: all is relative to one process under ULE.
  const one = rows[0]?.[columns[1]][0] ?? NaN;
  return {
    id,
    title,
    definition:
      'Time for a switch, relative to one process under ULE on the same machine; the source does not give the number of switches.',
    x: { label: 'processes', log: true },
    y: { label: 'time for a switch, relative', unit: '×', log: true },
    series: ['4BSD', 'ULE'],
    place: ([on, scheduler, n]) =>
      on === machine ? { series: scheduler === 'ule' ? 'ULE' : '4BSD', x: Number(n) } : null,
    value: (values, [, , n]) => (values[0] ?? NaN) / switchesOf(Number(n)),
    relativeTo: { series: 'ULE', x: 1 },
    published: [
      measured('4BSD, published', 0, columns[0], one),
      measured('ULE, published', 1, columns[1], one),
    ],
  };
}

/** The yield storm. */
export const S1: ExperimentPage = {
  id: 's1',
  experiment: 'S1',
  title: 'A storm of sched_yield(): one queue and one lock, or one for each CPU',
  source: 'J. Roberson, e-mail to cvs-src about sched_ule.c, 2007-10-01',
  machine: 'A PC with one CPU, and eight Opteron cores',
  era: 'FreeBSD-current, October 2007',
  workload:
    '1 to 5000 processes that only call sched_yield(); they share a fixed number of switches.',
  metric: 'Real time of the whole run, by the number of switches.',
  note: 'Fork and wait, which the published times contain and which count at 1000 processes and more, are not run here.',
  wants: () => true,
  claims: () => true,
  charts: [chart('smp', 'k8x4', 'Eight CPUs', [3, 4]), chart('up', 'up2007', 'One CPU', [1, 2])],
  moment: {
    atNs: (n) => n * SPACING_NS + 1e6,
    look: 'All processes have started and yield. 4BSD: all CPUs wait for one lock. ULE: each CPU goes round its own queue.',
  },
  whatIf: [{ label: 'on 16 UltraSPARC cores', set: [['/machine', 'v890']] }],
};
