/** Starts workers from their own file. */
import { reportMissing } from './browser/missing';
import { scriptUrl } from './lib/trusted';
import { compiledCore } from './sim/compiled-core';
import { compiled, compiledAt } from './sim/load-core';
import { LESSONS } from './sim/lesson/protocol';
import { noPolicies, type PolicyPackage } from './sim/policy/package';
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

/** Workers of the first package that wait for more work. */
let helpers: WeakRef<Worker>[] = [];

function startHelper(name: string): Worker {
  const worker = start(name);
  helpers.push(new WeakRef(worker));
  return worker;
}

/** A new worker for whole runs. */
export const spawnSweep = (): Worker => startHelper(RUNS);

/** A new worker for a lesson. */
export const spawnLesson = (): Worker => startHelper(LESSONS);

let coming: Promise<void> | null = null;

async function loadPolicies(path: string): Promise<void> {
  compiledCore.replace(await compiledAt(new URL(path, document.baseURI)));
  ahead?.terminate();
  ahead = null;
  // Who has one of these takes it for broken, and starts another with its next work.
  for (const helper of helpers) {
    const worker = helper.deref();
    const message = 'replaced';
    worker?.dispatchEvent(new ErrorEvent('error', { message, cancelable: true }));
    worker?.terminate();
  }
  helpers = [];
}

function policyPackage(path: string): PolicyPackage {
  return {
    missing: null,
    load: () => {
      coming ??= loadPolicies(path);
      coming.catch(() => {
        coming = null;
      });
      return coming;
    },
  };
}

/** Own policies: a file beside the page, if they were built. */
export const policies: PolicyPackage =
  __POLICIES__ === null
    ? noPolicies('this copy of the page was built without own policies')
    : policyPackage(__POLICIES__);
