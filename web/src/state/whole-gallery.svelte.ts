/** All published experiments in one pass, one after the other: each has the whole pool for itself. */
import type { Replication } from './replication.svelte';

/** See the module comment. `done` and `total` count experiments. */
export class WholeGallery {
  #generation = 0;
  #current: Replication | null = null;

  status = $state<'idle' | 'running' | 'cancelled' | 'done'>('idle');
  done = $state(0);
  total = $state(0);
  /** Seconds that it has taken until the last experiment that is done. */
  elapsedS = $state(0);
  /** Experiments cost too differently for the first ones to say how long the others take. */
  readonly leftS = null;
  readonly problem = '';

  get isRunning(): boolean {
    return this.status === 'running';
  }

  get hasRun(): boolean {
    return this.status !== 'idle';
  }

  /** Carries out all, as published. */
  async run(all: readonly Replication[], seeds: number): Promise<void> {
    const generation = ++this.#generation;
    const begun = performance.now();
    [this.status, this.done, this.total, this.elapsedS] = ['running', 0, all.length, 0];
    for (const replication of all) {
      this.#current = replication;
      await replication.run(seeds, null);
      if (generation !== this.#generation) return;
      this.done += 1;
      this.elapsedS = (performance.now() - begun) / 1000;
    }
    this.status = 'done';
  }

  /** Stops; what is there stays. */
  cancel(): void {
    this.#generation += 1;
    this.status = 'cancelled';
    this.#current?.batch.cancel();
  }
}
