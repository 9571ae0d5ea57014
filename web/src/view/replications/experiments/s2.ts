/** Bouron et al. 2018, one core: interactive threads beside a batch thread, and a web server with its load generator. */
import type { ExperimentPage } from './types';

/** Of all pages about it. */
export const SOURCE =
  'J. Bouron et al., The Battle of the Schedulers: FreeBSD ULE vs. Linux CFS, USENIX ATC 2018';
export const ERA = 'Linux 4.9 with CFS, and with FreeBSD 11.1’s ULE moved into it';
const ONE_CORE = 'One core of a 32-core Opteron; the exact model is not published';

/** Interactive threads starve a batch thread. */
export const S2A: ExperimentPage = {
  id: 's2a',
  title: 'Interactive against batch: who starves',
  learnt: 'Interactive threads starve a batch thread under ULE, but not under CFS.',
  source: SOURCE,
  machine: ONE_CORE,
  era: ERA,
  workload:
    'Two applications on one core: 80 threads that compute 2 ms and sleep 38 ms, which would need four cores, and one thread that only computes. Each has 20 s of work.',
  metric: 'CPU time of each application over time.',
  note: 'The source shows plots and says what they show; how long its threads compute and sleep is not said. Half for each application needs a group for each under CFS (autogroup); without groups the batch thread is one of 81. The moves of S2c, by the same authors, fit a kernel without groups.',
  look: 'Compare the batch thread: under CFS it has half of the core, under ULE it waits behind all interactive threads. Some of these wait for seconds as well.',
};

/** Preemption on wake-up. */
export const S2B: ExperimentPage = {
  id: 's2b',
  title: 'Preemption on wake-up: a web server and its load generator',
  learnt: 'ULE never interrupts the load generator, and so serves more requests.',
  source: SOURCE,
  machine: ONE_CORE,
  era: ERA,
  workload:
    'One thread keeps 100 requests in flight, 100 threads serve them, all on one core. Each request opens a connection first, so that a worker is woken twice.',
  metric: 'Preemptions of the injector by threads of the server; time and requests in a second.',
  note: 'Calibrated on ULE alone: the CPU work of a request. Not published, and so assumed: 192 KiB that each thread touches (the band shows 160 to 256 KiB), 31 µs of work for the injector and 93 µs for a worker, a connection for each request, and one application of both to CFS.',
  look: 'Step from switch to switch. Under CFS each worker that is woken takes the core from the injector; under ULE the injector goes on until it has nothing left to send.',
};
