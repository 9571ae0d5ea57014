/** Jeremy 2013: N copies of an array loop under 4BSD and ULE, on two machines with three working sets. */
import type { ExperimentPage } from './types';

const common = {
  source: 'P. Jeremy, FreeBSD 4BSD vs ULE Scheduler, FreeBSD wiki, 2013-06-30',
  workload:
    'A parent forks N copies of a program that goes round an array and adds one to each element. They never sleep; nothing else runs.',
  metric:
    'Elapsed time until the last exit, CPU time per process, and efficiency: elapsed × min(N, CPUs) ÷ total CPU time.',
  look: 'The second round: processes that had a CPU to themselves have ended, those that share one have half of their work left. Watch whether the CPUs that fall idle get any of it.',
};
const NOTE =
  'The source shows plots and says what they show; it gives no numbers. The rings are computed from ULE’s rules, not measured.';

/** Sun Fire V890. */
export const S0_V890: ExperimentPage = {
  ...common,
  id: 's0-v890',
  title: 'More hogs than cores: 4BSD and ULE on 16 cores',
  learnt: 'With more processes than cores, ULE leaves the line on which 4BSD stays.',
  machine: 'Sun Fire V890: 16 UltraSPARC-IV cores, no SMT, 8 MiB of L2 each',
  era: 'FreeBSD 10-current, November 2011',
  note: `${NOTE} How long a process takes alone is not said: 18.1 s with 1 KiB here, 1.6 thousand million increments of 15.3 cycles each, which is an assumption.`,
};

/** Xeon E3. */
export const S0_XEON: ExperimentPage = {
  ...common,
  id: 's0-xeon',
  title: 'More hogs than cores: 4BSD and ULE on 4 cores of 2 threads',
  learnt: 'Two processes on one core together do about as much as one alone.',
  machine: 'Xeon E3-1230v3: 4 cores × 2 threads, 8 MiB of shared L3',
  era: 'FreeBSD 10-current, June 2013',
  note: `${NOTE} Two processes on a core do together about as much as one alone (claim J5). Claim J13 compares with the V890, so its runs are made too.`,
};
