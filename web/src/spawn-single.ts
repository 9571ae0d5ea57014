/** Stands in for `spawn.ts` where the whole page is one file: the workers are inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import LabWorker from './sim/both?worker&inline';
import LessonsWorker from './sim/lesson/worker?worker&inline';
import { RUNS } from './sim/sweep/protocol';

trustOwnBlobs();

/** A new worker. */
export function spawn(): Worker {
  return new LabWorker();
}

/** A new worker for whole runs. */
export function spawnSweep(): Worker {
  return new LabWorker({ name: RUNS });
}

/** A new worker for lessons. */
export function spawnLesson(): Worker {
  return new LessonsWorker();
}
