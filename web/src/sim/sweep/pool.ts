/**
 * Distributes runs over workers. Each worker has one run at a time and gets the next when it answers, so that a long
 * run does not delay the others. Idle workers are kept for the next batch. A worker that breaks is replaced, and its
 * run is lost. Cancelling ends the workers that run, as a run cannot be interrupted.
 */
import type { KeptWorkers } from './kept-workers';
import type { Job, Outcome, Seen } from './protocol';

/** The part of a Worker that is used here, so that tests can replace it. */
export interface SweepWorker {
  postMessage(job: Job): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Outcome>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Called for every answer; `done` after the last one. */
export interface Listener {
  result(index: number, seen: Seen): void;
  /** There is no result. `isBroken`: the core broke or did not load, instead of refusing the scenario. */
  refused(index: number, message: string, isBroken: boolean): void;
  done(): void;
}

/** A pool of workers; see the module comment. */
export class Pool {
  readonly #kept: KeptWorkers;
  readonly #size: number;
  /** Workers that run a job. */
  readonly #workers = new Set<SweepWorker>();

  /** `size`: most runs at once. */
  constructor(kept: KeptWorkers, size: number) {
    this.#kept = kept;
    this.#size = Math.max(1, size);
  }

  /** Carries out jobs in order, as many at a time as there are workers. Ends earlier jobs. */
  start(jobs: readonly Omit<Job, 'id'>[], listener: Listener): void {
    this.cancel();
    if (jobs.length === 0) {
      listener.done();
      return;
    }
    let next = 0;
    let open = 0;
    const feed = (worker: SweepWorker): void => {
      const job = jobs[next];
      if (job) {
        open += 1;
        worker.postMessage({ ...job, id: next });
        next += 1;
        return;
      }
      this.#workers.delete(worker);
      this.#kept.keep(worker);
      if (open === 0) listener.done();
    };
    const begin = (): void => {
      const worker = this.#kept.take();
      let current = next;
      const lost = (message: string): void => {
        open -= 1;
        listener.refused(current, message, true);
        worker.terminate();
        this.#workers.delete(worker);
        // Each lost worker takes one run with it, so this ends.
        if (next < jobs.length) begin();
        else if (open === 0) listener.done();
      };
      worker.onmessage = ({ data }) => {
        if ('values' in data) {
          open -= 1;
          listener.result(data.id, { columns: data.columns, values: data.values });
        } else if (data.broken) {
          lost(data.error);
          return;
        } else {
          open -= 1;
          listener.refused(data.id, data.error, false);
        }
        current = next;
        feed(worker);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        lost(event.message || 'the worker did not load');
      };
      this.#workers.add(worker);
      feed(worker);
    };
    for (let i = 0; i < Math.min(this.#size, jobs.length); i++) begin();
  }

  /** Ends all work. */
  cancel(): void {
    for (const worker of this.#workers) {
      worker.onmessage = null;
      worker.terminate();
    }
    this.#workers.clear();
  }
}
