/** Stands in for `spawn.ts` where the whole page is one file: the worker is inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import SimWorker from './sim/worker.ts?worker&inline';

trustOwnBlobs();

/** A new worker. */
export function spawn(): Worker {
  return new SimWorker();
}
