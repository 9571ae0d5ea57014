/** Certner 2024: the share of the CPU by nice value, before and after ULE's single run queue. */
import type { ExperimentPage } from './types';

/** The nice table. */
export const S3: ExperimentPage = {
  id: 's3',
  title: 'What nice is worth: ULE before and after its single run queue',
  learnt: 'One run queue for all nice values moves shares by about a point.',
  source:
    'O. Certner, FreeBSD review “sched_ule: Recover previous nice and anti-starvation behaviors”, 2024–2025',
  machine: 'Ryzen 9 3900X, both processes on one core',
  era: 'FreeBSD-current of 2024, and with the series of 2025',
  workload:
    'Two processes that only compute, bound to one core; process 2 has nice 20, process 1 from −20 to 20.',
  metric: 'Mean share of the CPU of process 1 over ten minutes.',
  note: 'No number here was fitted: the curve follows from the clocks, the slice and the number of levels.',
  look: 'Look at the calendar: at the end of a slice the process is queued so many slots ahead as its priority says. From nice −13 down process 1 gets two slices for one of process 2.',
};
