/** Stands in for `spawn.ts` where the whole page is one file: the worker is inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import SimWorker from './sim/worker.ts?worker&inline';

trustOwnBlobs();

/** A new worker. */
export function spawn(): Worker {
  return new SimWorker();
}

/** The replications need files of their own: the one file does without them. */
export const spawnSweep: (() => Worker) | null = null;
