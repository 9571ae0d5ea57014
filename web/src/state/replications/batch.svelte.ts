/**
 * Runs in the worker pool: how many are done and how long the rest will take. Their results go to the receiver that
 * asked for them.
 */
import { processors } from '../../browser/processors';
import { firstProblem } from '../../lib/core-message';
import type { KeptWorkers } from '../../sim/sweep/kept-workers';
import { Pool } from '../../sim/sweep/pool';
import type { Seen } from '../../sim/sweep/protocol';

/** A run to carry out. */
export interface Item {
  /** Name among the runs of its batch. */
  readonly key: string;
  /** JSON of the scenario. */
  readonly scenario: string;
  /** Id of the shipped scenario that it varies; null for the scenario on the stage. */
  readonly base: string | null;
  /** Id of the core's probe. */
  readonly probe: string;
  readonly at: readonly number[];
  /** An expression for one more column; only without times. */
  readonly measure?: string | undefined;
}

/** Receives the results. */
export interface BatchReceiver {
  /** A result. */
  given(item: Item, seen: Seen): void;
  /** Called when it is time to draw the results so far. */
  shown(): void;
}

/** A run that gave nothing. */
export interface FailedRun {
  /** Of the run. */
  readonly key: string;
  /** `invalid`: the core refused the scenario; `failed`: the core broke, or did not load. */
  readonly status: 'invalid' | 'failed';
  readonly message: string;
}

/** Shortest time between two drawings of growing curves. */
const SHOW_EVERY_MS = 120;
/** Drawing takes at most a tenth of the time. */
const SHOW_PART = 10;

/** See the module comment. */
export class Batch {
  readonly #workers: KeptWorkers;
  #pool: Pool | null = null;
  #items = new Map<string, Item>();
  #bad: FailedRun[] = [];
  #receiver: BatchReceiver | null = null;
  #showAgainAt = -Infinity;
  #begun = 0;
  #over: () => void = () => undefined;

  status = $state<'idle' | 'running' | 'cancelled' | 'done' | 'failed'>('idle');
  /** What the core said about the run that it refused; empty if it refused none. */
  problem = $state('');
  done = $state(0);
  total = $state(0);
  /** Seconds that have passed, and seconds that remain. */
  elapsedS = $state(0);
  leftS = $state<number | null>(null);
  /** Runs without a result; the other runs go on. */
  bad = $state.raw<readonly FailedRun[]>([]);

  // Not `$derived`: that would end with the component that first read it, and this object outlives components.
  get isRunning(): boolean {
    return this.status === 'running';
  }

  get hasRun(): boolean {
    return this.status !== 'idle';
  }

  constructor(workers: KeptWorkers) {
    this.#workers = workers;
  }

  /** Forgets the results so far, before new runs are prepared. */
  clear(): void {
    this.cancel();
    this.status = 'running';
    [this.problem, this.done, this.total, this.elapsedS, this.leftS] = ['', 0, 0, 0, null];
    [this.bad, this.#bad, this.#items, this.#receiver] = [[], [], new Map(), null];
  }

  /** Carries out runs, until all are done or it is cancelled. */
  async start(items: readonly Item[], wanting: BatchReceiver): Promise<void> {
    this.clear();
    const over = new Promise<void>((resolve) => {
      this.#over = resolve;
    });
    this.#items = new Map(items.map((item) => [item.key, item]));
    this.#receiver = wanting;
    this.total = items.length;
    this.#begun = performance.now();
    this.#showAgainAt = -Infinity;
    const count = (): void => {
      this.done += 1;
      if (performance.now() >= this.#showAgainAt) this.#show();
    };
    this.#pool = new Pool(this.#workers, processors());
    this.#pool.start(items, {
      result: (i, seen) => {
        const item = items[i];
        if (item) wanting.given(item, seen);
        count();
      },
      refused: (index, said, isBroken) => {
        const message = firstProblem(said);
        this.problem = message;
        const key = items[index]?.key ?? '';
        this.#bad.push({ key, status: isBroken ? 'failed' : 'invalid', message });
        count();
      },
      done: () => {
        this.#show();
        this.leftS = null;
        this.status = this.problem === '' ? 'done' : 'failed';
        this.#over();
      },
    });
    await over;
  }

  #show(): void {
    const now = performance.now();
    this.elapsedS = (now - this.#begun) / 1000;
    const rate = this.done / Math.max(this.elapsedS, 0.001);
    this.leftS = this.done < this.total ? (this.total - this.done) / rate : null;
    this.bad = [...this.#bad];
    this.#receiver?.shown();
    const then = performance.now();
    this.#showAgainAt = then + Math.max(SHOW_EVERY_MS, SHOW_PART * (then - now));
  }

  /** It could not begin. */
  fail(message: string): void {
    this.status = 'failed';
    this.problem = message;
  }

  /** Stops; what is there stays. */
  cancel(): void {
    this.#pool?.cancel();
    this.#pool = null;
    this.#over();
    if (this.status !== 'running') return;
    if (this.total > 0) this.#show();
    this.leftS = null;
    this.status = 'cancelled';
  }

  /** The runs with these keys, without unknown keys. */
  items(keys: readonly string[]): readonly Item[] {
    return keys.flatMap((key) => this.#items.get(key) ?? []);
  }
}
