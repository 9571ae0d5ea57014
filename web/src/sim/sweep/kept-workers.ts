/** Workers that have nothing to do and are kept for the next runs, of whatever batch: they have the core. */
import type { SweepWorker } from './pool';

/** Nobody asks for more runs: the memory is worth more than the time to start. */
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

  /** One that was kept, or a new one. */
  take(): SweepWorker {
    return this.#idle.pop() ?? this.#spawn();
  }

  /** Takes one back that has answered everything. */
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
