/** The reader's own sweep: its runs in the pool, and their results so far. */
import { messageOf } from '../../lib/assert';
import { type Estimator, makeEstimator } from '../../sim/sweep/judge';
import type { KeptWorkers } from '../../sim/sweep/kept-workers';
import { Batch } from './batch.svelte';
import type { OwnItem, OwnSample, Swept } from './own-sweep';

/** See the module comment. */
export class OwnResults {
  readonly batch: Batch;
  /** The last sweep; null before the first. */
  swept = $state.raw<Swept | null>(null);
  /** All its runs. */
  items = $state.raw<readonly OwnItem[]>([]);
  samples = $state.raw<readonly OwnSample[]>([]);
  /** Averages; null until the judge is loaded. */
  estimate = $state.raw<Estimator | null>(null);

  constructor(workers: KeptWorkers) {
    this.batch = new Batch(workers);
  }

  /** Carries out the runs of a sweep. */
  async run(swept: Swept, items: readonly OwnItem[]): Promise<void> {
    [this.swept, this.items, this.samples] = [swept, items, []];
    try {
      this.estimate ??= await makeEstimator();
    } catch (error) {
      this.batch.fail(messageOf(error));
      return;
    }
    const places = new Map(items.map((item) => [item.key, item]));
    const given: OwnSample[] = [];
    // Most runs have the same hundreds of names: each list is stored once.
    const lists = new Map<string, readonly string[]>();
    const shared = (columns: readonly string[]): readonly string[] => {
      const text = columns.join('\n');
      const list = lists.get(text) ?? columns;
      lists.set(text, list);
      return list;
    };
    await this.batch.start(items, {
      given: ({ key }, { columns, values }) => {
        const item = places.get(key);
        if (item) given.push({ item, columns: shared(columns), values });
      },
      shown: () => {
        this.samples = [...given];
      },
    });
  }
}
