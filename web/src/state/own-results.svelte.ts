/** The sweep of one's own: its runs in the pool, and what they gave so far. */
import { messageOf } from '../lib/assert';
import { type Estimator, makeEstimator } from '../sim/sweep/judge';
import type { SweepWorker } from '../sim/sweep/pool';
import { Batch } from './batch.svelte';
import type { OwnItem, OwnSample, Swept } from './own-sweep';

/** See the module comment. */
export class OwnResults {
  readonly batch: Batch;
  /** What was swept; null before the first time. */
  swept = $state.raw<Swept | null>(null);
  samples = $state.raw<readonly OwnSample[]>([]);
  /** Averages; null until the judge is loaded. */
  estimate = $state.raw<Estimator | null>(null);

  constructor(spawn: () => SweepWorker) {
    this.batch = new Batch(spawn);
  }

  /** Carries out the runs of a sweep. */
  async run(swept: Swept, items: readonly OwnItem[]): Promise<void> {
    [this.swept, this.samples] = [swept, []];
    try {
      this.estimate ??= await makeEstimator();
    } catch (error) {
      this.batch.fail(messageOf(error));
      return;
    }
    const places = new Map(items.map((item) => [item.key, item]));
    const given: OwnSample[] = [];
    await this.batch.start(items, {
      given: ({ key }, seen) => {
        const item = places.get(key);
        if (item) given.push({ ...seen, item });
      },
      shown: () => {
        this.samples = [...given];
      },
    });
  }
}
