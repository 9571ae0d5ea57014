/** Starts workers from their own file. */
import { reportMissing } from './browser/missing';
import { scriptUrl } from './lib/trusted';
import { compiledCore } from './sim/compiled-core';
import { compiled, compiledAt } from './sim/load-core';
import { RecordedFiles, type Recordings } from './sim/first/recording';
import { LESSONS } from './sim/lesson/protocol';
import { noPolicies, type PolicyPackage } from './sim/policy/package';
import { RUNS } from './sim/sweep/protocol';
import { TRACES } from './sim/trace-file/protocol';
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

/** The first answers of the core, beside the page; null where the build recorded none. */
export const recordings: Recordings | null =
  __FIRST__ === null
    ? null
    : new RecordedFiles(__FIRST__, async (place) => {
        const response = await fetch(new URL(place, document.baseURI));
        if (!response.ok) throw new Error(`${place}: ${String(response.status)}`);
        return response.text();
      });

/** A link that only names a shipped scenario, and perhaps how it is looked at. */
const SHIPPED = /^#?s\.([\w-]+)/;

/**
 * Begins with what the first run needs, beside the loading of the program. Where the first picture is recorded, the core
 * waits for that: it is most of the bytes. Elsewhere the core and a worker begin at once.
 */
export function beginAhead(fragment: string): void {
  const id = SHIPPED.exec(fragment)?.[1];
  if (recordings && id !== undefined) {
    const first = Promise.all([recordings.catalog(), recordings.opened(id)]);
    compiledCore.expect(first.then(compiled));
    return;
  }
  void recordings?.catalog();
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

/** A new worker for a trace. */
export const spawnTrace = (): Worker => start(TRACES);

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

/** Whether the server said with the page that own policies are being made behind it. */
function arePoliciesComing(): boolean {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Browsers of some years ago do not tell it.
  const timing = opened?.serverTiming as readonly PerformanceServerTiming[] | undefined;
  return timing?.some(({ name }) => name === 'policies-come') ?? false;
}

function withoutPolicies(): PolicyPackage {
  return arePoliciesComing()
    ? noPolicies('they are still being made; load the page again in some minutes', true)
    : noPolicies('this copy of the page was built without own policies');
}

/** Own policies: a file beside the page, if they were built. */
export const policies: PolicyPackage =
  __POLICIES__ === null ? withoutPolicies() : policyPackage(__POLICIES__);
