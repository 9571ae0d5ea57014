/** Replaces `spawn.ts` in the single-file page: the workers are inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import LabWorker from './sim/both?worker&inline';
import LessonsWorker from './sim/lesson/worker?worker&inline';
import { CompiledCore } from './sim/compiled-core';
import { RUNS } from './sim/sweep/protocol';

trustOwnBlobs();

const core = new CompiledCore();

/** A new worker. */
export function spawn(): Worker {
  return core.lend(new LabWorker());
}

/** A new worker for whole runs. */
export function spawnSweep(): Worker {
  return core.lend(new LabWorker({ name: RUNS }));
}

/** A new worker for lessons. */
export function spawnLesson(): Worker {
  return new LessonsWorker();
}
