/** Replaces `spawn.ts` in the single-file page: the workers are inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import { compiledCore } from './sim/compiled-core';
import { LESSONS } from './sim/lesson/protocol';
import { noPolicies } from './sim/policy/package';
import { RUNS } from './sim/sweep/protocol';
import { TRACES } from './sim/trace-file/protocol';
import LabWorker from './sim/worker?worker&inline';

trustOwnBlobs();

const start = (name = ''): Worker => compiledCore.lend(new LabWorker({ name }));

/** The core is in the file, so there is nothing to bridge. */
export const recordings = null;

/** Nothing is loaded later here. */
export const beginAhead = (): void => undefined;

/** A new worker. */
export const spawn = (): Worker => start();

/** A new worker for whole runs. */
export const spawnSweep = (): Worker => start(RUNS);

/** A new worker for a lesson. */
export const spawnLesson = (): Worker => start(LESSONS);

/** A new worker for a trace. */
export const spawnTrace = (): Worker => start(TRACES);

/** Their package is as large as all the rest. */
export const policies = noPolicies(
  'the page as one file has no own policies; the page of a site has them',
);
