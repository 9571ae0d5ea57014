/** All published experiments, one after the other: each uses the whole pool. */
import type { Replication } from './replication.svelte';

/** An experiment, and the cost of its runs in a unit that all experiments share. */
export interface Part {
  readonly replication: Replication;
  readonly cost: number;
}

/** See the module comment. `done` and `total` count experiments. */
export class WholeGallery {
  #generation = 0;
  #begun = 0;
  #parts: readonly Part[] = [];

  status = $state<'idle' | 'running' | 'cancelled' | 'done'>('idle');
  done = $state(0);
  total = $state(0);
  /** Seconds until the last finished experiment. */
  elapsedS = $state(0);
  readonly problem = '';

  get isRunning(): boolean {
    return this.status === 'running';
  }

  get hasRun(): boolean {
    return this.status !== 'idle';
  }

  /** Seconds that remain, estimated from the cost and time of finished experiments; null before the first. */
  get leftS(): number | null {
    const current = this.#parts[this.done];
    if (!this.isRunning || !current) return null;
    const { done, total } = current.replication.batch;
    const cost = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.cost, 0);
    const spent =
      cost(this.#parts.slice(0, this.done)) + (current.cost * done) / Math.max(1, total);
    if (spent === 0) return null;
    const elapsedS = (performance.now() - this.#begun) / 1000;
    return (elapsedS * (cost(this.#parts) - spent)) / spent;
  }

  /** Carries out all, as published. */
  async run(parts: readonly Part[], seeds: number): Promise<void> {
    const generation = ++this.#generation;
    this.#begun = performance.now();
    this.#parts = parts;
    [this.status, this.done, this.total, this.elapsedS] = ['running', 0, parts.length, 0];
    for (const { replication } of parts) {
      await replication.run(seeds, '');
      if (generation !== this.#generation) return;
      this.done += 1;
      this.elapsedS = (performance.now() - this.#begun) / 1000;
    }
    this.status = 'done';
  }

  /** Stops; the results so far stay. */
  cancel(): void {
    this.#generation += 1;
    this.status = 'cancelled';
    this.elapsedS = (performance.now() - this.#begun) / 1000;
    this.#parts[this.done]?.replication.batch.cancel();
  }
}
