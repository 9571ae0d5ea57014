/** A page about a published experiment: its runs in the pool, the figures so far, and the verdicts. */
import { messageOf } from '../../lib/assert';
import type { Evaluation, Figure, WhatIf } from '../../sim/sweep/claims';
import { type Judge, makeJudge } from '../../sim/sweep/judge';
import type { KeptWorkers } from '../../sim/sweep/kept-workers';
import type { Catalog } from '../../sim/types/Catalog';
import { Batch } from './batch.svelte';
import { type Behind, sideBySide } from '../behind';

export type * from '../../sim/sweep/claims';

/** Where judges come from; tests have their own. */
export type MakeJudge = (seeds: number) => Promise<Judge>;

/** See the module comment. */
export class Replication {
  readonly #catalog: Catalog;
  readonly #page: string;
  readonly #make: MakeJudge;
  #generation = 0;
  #opened = false;

  readonly batch: Batch;
  /** Figures with all results so far; before the first run, the published values. */
  figures = $state.raw<readonly Figure[]>([]);
  /** Figures of an earlier pass without the change, for comparison. */
  before = $state.raw<readonly Figure[]>([]);
  /** Claims whose runs are all done. */
  verdicts = $state.raw<readonly Evaluation[]>([]);
  /** The changes that can be chosen. */
  whatIfs = $state.raw<readonly WhatIf[]>([]);
  /** The change that the runs have; null for none. */
  whatIf = $state.raw<WhatIf | null>(null);
  /** Seeds of the runs. */
  seeds = $state(0);

  constructor(catalog: Catalog, workers: KeptWorkers, page: string, make: MakeJudge = makeJudge) {
    this.#catalog = catalog;
    this.#page = page;
    this.#make = make;
    this.batch = new Batch(workers);
  }

  /** Shows the published values, and which changes there are. */
  async open(): Promise<void> {
    if (this.#opened) return;
    this.#opened = true;
    try {
      const judge = await this.#make(1);
      this.whatIfs = judge.whatIfs(this.#page);
      // A pass may have begun meanwhile.
      if (!this.batch.hasRun) this.figures = judge.figures(this.#page);
    } catch (error) {
      this.#opened = false;
      this.batch.fail(messageOf(error));
    }
  }

  /**
   * Carries out all runs with the change of this id, until they are done or cancelled. Results of an earlier pass
   * without a change stay as `before`.
   */
  async run(seeds: number, whatIf: string): Promise<void> {
    const generation = ++this.#generation;
    if (whatIf === '') this.before = [];
    else if (!this.whatIf && this.batch.done > 0) this.before = this.figures;
    this.verdicts = [];
    this.batch.clear();
    try {
      const judge = await this.#make(seeds);
      // Another pass began meanwhile, or this one was cancelled.
      if (generation !== this.#generation || !this.batch.isRunning) return;
      this.#opened = true;
      this.seeds = seeds;
      this.whatIfs = judge.whatIfs(this.#page);
      this.whatIf = this.whatIfs.find(({ id }) => id === whatIf) ?? null;
      await this.#begin(judge, whatIf);
    } catch (error) {
      this.batch.fail(messageOf(error));
    }
  }

  async #begin(judge: Judge, whatIf: string): Promise<void> {
    const items = judge.runs(this.#page, whatIf).map(({ columns, ...run }) => ({
      ...run,
      probe: columns,
    }));
    this.figures = judge.figures(this.#page);
    await this.batch.start(items, {
      given: ({ key }, { columns, values }) => {
        judge.add(key, columns, values);
      },
      shown: () => {
        this.figures = judge.figures(this.#page);
        this.verdicts = judge.evaluate(this.#page);
      },
    });
  }

  /** The scenario behind a point, with its schedulers side by side; null if there is none. */
  behind(keys: readonly string[]): Behind | null {
    return sideBySide(this.batch.items(keys), this.#catalog);
  }
}
