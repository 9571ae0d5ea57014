/** Exact results of queueing theory: Erlang, and Pollaczek and Khinchine. */
import type { ExperimentPage } from './types';

/** Waits by formula. */
export const QUEUEING: ExperimentPage = {
  id: 'queueing',
  title: 'Queues that theory gives exactly: is the simulator right?',
  learnt: 'The runs agree with the formulas of queueing theory.',
  source: 'A. K. Erlang, 1917; F. Pollaczek, 1930; L. Kleinrock, Queueing Systems, volume 1, 1975',
  machine: 'One, two and four CPUs whose switches and caches cost nothing',
  era: 'BFS 0.512 with real-time threads: one queue, in the order of arrival',
  workload:
    'Jobs that arrive at random and take a time that is random, always the same, or one of two; each ends and is gone.',
  metric: 'Mean time from the arrival of a job to its start, by how busy the CPUs are.',
  note: 'Nobody measured this: formulas take the place of a measurement. So they verify the simulator itself: its clock, arrivals, queues and accounts. Near a load of 1 chance is large; these runs have 20 seeds instead of five.',
  look: 'Jobs come at random, and the queue grows and empties. No CPU is idle while one waits.',
};
