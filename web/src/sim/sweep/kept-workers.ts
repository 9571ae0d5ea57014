/** Idle workers, kept for the next runs of any batch, because they have loaded the core. */
import type { SweepWorker } from './pool';

/** Idle workers end after this time: their memory is then worth more than the time to start them. */
const KEPT_MS = 60_000;

/** See the module comment. */
export class KeptWorkers {
  readonly #spawn: () => SweepWorker;
  readonly #most: number;
  #idle: SweepWorker[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Keeps at most so many. */
  constructor(spawn: () => SweepWorker, most: number) {
    this.#spawn = spawn;
    this.#most = most;
  }

  /** A kept worker, or a new one. */
  take(): SweepWorker {
    return this.#idle.pop() ?? this.#spawn();
  }

  /** Keeps a worker that has answered all its runs. */
  keep(worker: SweepWorker): void {
    worker.onmessage = null;
    if (this.#idle.length >= this.#most) {
      worker.terminate();
      return;
    }
    worker.onerror = () => {
      this.#idle = this.#idle.filter((w) => w !== worker);
      worker.terminate();
    };
    this.#idle.push(worker);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const each of this.#idle) each.terminate();
      this.#idle = [];
    }, KEPT_MS);
  }
}
