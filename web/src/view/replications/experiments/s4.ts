/** Wong 2011: k instances of Dhrystone on four cores of two threads, under BFS, CFS and by hand. */
import type { ExperimentPage } from './types';

/** SMT awareness. */
export const S4: ExperimentPage = {
  id: 's4',
  title: 'SMT awareness: BFS between ideal and random placement',
  learnt: 'BFS lies about halfway between ideal and random placement.',
  source: 'H. Wong, Linux SMT-Aware Process Scheduling, 2011',
  machine: 'Core i7 860: 4 cores × 2 threads',
  era: 'Linux 2.6.34 with BFS 0.318, and with CFS',
  workload:
    'k copies of Dhrystone 2.1: integers, tiny, never sleep. Two on a core do 4 % less than one alone.',
  metric: 'Total throughput of all instances, relative to one.',
  note: 'The source gives neither the tick rate nor the daemons that ran; both decide how far BFS strays. Two tick rates are shown, with the model’s background. Without background BFS stays at the ideal.',
  look: 'Step by migrations. A daemon wakes, an instance under BFS moves to whatever context is free; sometimes two share a core while another core stands empty.',
};
