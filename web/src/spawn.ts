/** Starts workers from their own file. */
import { reportMissing } from './browser/missing';
import { scriptUrl } from './lib/trusted';
import { compiledCore } from './sim/compiled-core';
import { compiled } from './sim/load-core';
import { LESSONS } from './sim/lesson/protocol';
import { RUNS } from './sim/sweep/protocol';
import url from './sim/worker.ts?worker&url';

// The page's head has begun to load the file (web/vite.config.js), so it comes beside the program.
compiledCore.expect(compiled());

function start(name = ''): Worker {
  const worker = new Worker(scriptUrl(url), { type: 'module', name });
  // A worker that breaks says how; one whose file is not there does not.
  worker.addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) reportMissing();
  });
  return compiledCore.lend(worker);
}

/** A new worker. */
export const spawn = (): Worker => start();

/** A new worker for whole runs. */
export const spawnSweep = (): Worker => start(RUNS);

/** A new worker for a lesson. */
export const spawnLesson = (): Worker => start(LESSONS);
