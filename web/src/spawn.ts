/** Starts workers from their own files. */
import { scriptUrl } from './lib/trusted';
import { CompiledCore } from './sim/compiled-core';
import sweepUrl from './sim/sweep/worker.ts?worker&url';
import lessonUrl from './sim/lesson/worker.ts?worker&url';
import url from './sim/worker.ts?worker&url';

const core = new CompiledCore();

/** A new worker. */
export function spawn(): Worker {
  return core.lend(new Worker(scriptUrl(url), { type: 'module' }));
}

/** A new worker for whole runs. */
export function spawnSweep(): Worker {
  return core.lend(new Worker(scriptUrl(sweepUrl), { type: 'module' }));
}

/** A new worker for lessons, which have a package of their own. */
export function spawnLesson(): Worker {
  return new Worker(scriptUrl(lessonUrl), { type: 'module' });
}
