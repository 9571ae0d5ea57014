/** Starts workers from their own file. */
import { reportMissing } from './browser/missing';
import { scriptUrl } from './lib/trusted';
import { compiledCore } from './sim/compiled-core';
import { compiled } from './sim/load-core';
import { LESSONS } from './sim/lesson/protocol';
import { RUNS } from './sim/sweep/protocol';
import url from './sim/worker.ts?worker&url';

function start(name = ''): Worker {
  const worker = new Worker(scriptUrl(url), { type: 'module', name });
  // A worker that breaks says how; one whose file is not there does not.
  worker.addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) reportMissing();
  });
  return compiledCore.lend(worker);
}

/** A worker that began before anybody asked for one. */
let ahead: Worker | null = null;

/**
 * Begins with what the first run needs, beside the loading of the program: the core, of which the page's head has begun
 * to load the file (web/vite.config.js), and a worker.
 */
export function beginAhead(): void {
  compiledCore.expect(compiled());
  // If it fails, whoever asks next tries it again, and says why.
  try {
    ahead = start();
    ahead.addEventListener('error', () => (ahead = null), { once: true });
  } catch {
    ahead = null;
  }
}

/** A new worker. */
export function spawn(): Worker {
  const worker = ahead ?? start();
  ahead = null;
  return worker;
}

/** A new worker for whole runs. */
export const spawnSweep = (): Worker => start(RUNS);

/** A new worker for a lesson. */
export const spawnLesson = (): Worker => start(LESSONS);
