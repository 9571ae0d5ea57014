/** Roberson 2007: processes that only yield, on one CPU and on eight. */
import type { ExperimentPage } from './types';

/** The yield storm. */
export const S1: ExperimentPage = {
  id: 's1',
  title: 'A storm of sched_yield(): one queue and one lock, or one for each CPU',
  learnt: 'On eight CPUs, processes that only yield are many times slower under 4BSD.',
  source: 'J. Roberson, e-mail to cvs-src about sched_ule.c, 2007-10-01',
  machine: 'A PC with one CPU, and eight Opteron cores',
  era: 'FreeBSD-current, October 2007',
  workload:
    '1 to 5000 processes that only call sched_yield(); they share a fixed number of switches.',
  metric: 'Real time of the whole run, by the number of switches.',
  note: 'A parent forks the processes and waits for each of them, which the published times contain. What that takes is not published: ten million switches, 0.1 ms for a fork and 0.2 µs for each child that the parent looks at are assumptions, and bands show half and twice as much.',
  look: 'All processes have started and yield. 4BSD: all CPUs wait for one lock. ULE: each CPU goes round its own queue.',
};
