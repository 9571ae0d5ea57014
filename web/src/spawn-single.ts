/** Stands in for `spawn.ts` where the whole page is one file: the worker is inside it, as text. */
import { trustOwnBlobs } from './lib/trusted';
import LabWorker from './sim/both?worker&inline';
import { LESSON } from './sim/lesson/protocol';
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
  return new LabWorker({ name: LESSON });
}
