/** Starts a simulation worker from its own file. */
import { scriptUrl } from './lib/trusted';
import url from './sim/worker.ts?worker&url';

/** A new worker. */
export function spawn(): Worker {
  return new Worker(scriptUrl(url), { type: 'module' });
}
