/** Bouron et al. 2018, 32 cores: threads set free, threads created, and one thread for each core. */
import { ERA, SOURCE } from './s2';
import type { ExperimentPage } from './types';

const CORES = '32 cores of Opterons; how they lie is not published';
const EIGHT_NODES = `${CORES}, here 4 × 6134: eight nodes of four cores`;

/** Load balancing. */
export const S2C: ExperimentPage = {
  id: 's2c',
  title: 'Load balancing: 512 threads set free on 32 cores',
  learnt: 'CFS spreads 512 threads at once and unevenly; ULE takes minutes and ends even.',
  source: SOURCE,
  machine: `${CORES}, here two packages of two nodes of eight cores`,
  era: ERA,
  workload: '512 threads that only compute, all pinned to core 0, are unpinned at one instant.',
  metric: 'Length of the run queue of each core, over time; moves; time until all have 16.',
  note: 'ULE is run twice: in Linux its balancer counts ticks of 4 ms and runs every 0.26 to 0.77 s, in FreeBSD every 0.5 to 1.5 s. How many threads CFS moves depends on groups, on the nodes and on how far apart the threads were forked, none of which the source gives: other choices are shown beside the one that is judged, which has no group, unlike S2a. Seeds differ in the moment of the release and in the distance of the forks.',
  look: 'The threads have just been set free. Step by migrations: idle cores take one thread each; then CFS moves dozens in one go, ULE one from core 0 in each run of its balancer.',
};

/** Placement of new threads. */
export const S2D: ExperimentPage = {
  id: 's2d',
  title: 'Thread placement: a ray tracer creates 512 threads',
  learnt: 'ULE places new threads nearly evenly; CFS does not.',
  source: SOURCE,
  machine: EIGHT_NODES,
  era: ERA,
  workload:
    'A parent creates 512 threads one after the other; each waits until the one before has woken it, then computes.',
  metric: 'Length of the run queue of each core while threads start; time until all run.',
  note: 'The source shows maps and gives no numbers. That each thread wakes the next is how the program starts. Under ULE two cores differ by 2 now and then: a woken thread goes to the least loaded of those cores on which it would run at once.',
  look: 'Look at the lengths of the queues: ULE keeps them within one or two threads of each other; under CFS the chain of wake-ups stays near the core that began it.',
};

/** One thread for each core. */
export const S2E: ExperimentPage = {
  id: 's2e',
  title: 'One thread for each core: nearly no difference',
  learnt: 'Over many programs CFS and ULE are nearly equal.',
  source: SOURCE,
  machine: EIGHT_NODES,
  era: ERA,
  workload: '32 threads that never sleep, started one after the other, of seven kinds.',
  metric: 'Time until the last thread has ended.',
  note: 'The source’s mix of programs is not listed; these are the ones that the model has. Whether its kernel had automatic NUMA balancing is not published: it is on here, and off beside it. Under CFS some threads leave the node on which they began; a second or two later their memory follows. Without that, large working sets would take nearly twice as long.',
  look: 'Each core has one thread. Under CFS some threads have left the node on which they began, and their memory has not followed yet: select one and see where it lies.',
};
