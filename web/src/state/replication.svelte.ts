/** One published experiment: its runs in the pool, what they gave so far, and the verdicts. */
import { messageOf } from '../lib/assert';
import { type Judge, makeJudge } from '../sim/sweep/judge';
import type { SweepWorker } from '../sim/sweep/pool';
import { changed, type Run, scenarioOf, type WhatIf } from '../sim/sweep/run';
import type { Catalog } from '../sim/types/Catalog';
import { Batch, type Seen } from './batch.svelte';

export type { WhatIf } from '../sim/sweep/run';

export type Verdict = 'holds' | 'fails' | 'unavailable';

/** A number that a claim is about; `null` for what is not known, or for no bound. */
export interface Measure {
  readonly name: string;
  readonly value: number | null;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: Verdict;
}

/** A claim with its verdict; `experiment/claims` of the core. */
export interface Evaluation {
  readonly id: string;
  readonly experiment: string;
  readonly statement: string;
  readonly acceptance: string;
  readonly source: string;
  readonly since: string;
  readonly knownFailure?: boolean;
  readonly verdict: Verdict;
  readonly measures: readonly Measure[];
  readonly note: string;
}

/** The words of a key, without the experiment. */
const wordsOf = (run: Run) => run.key.split('/').slice(1);

/** See the module comment. */
export class Replication {
  readonly #catalog: Catalog;
  readonly #experiment: string;
  readonly #wanted: (words: readonly string[]) => boolean;
  #generation = 0;

  readonly batch: Batch;
  /** What an earlier pass gave without the change, to compare with. */
  before = $state.raw<readonly Seen[]>([]);
  verdicts = $state.raw<readonly Evaluation[]>([]);
  whatIf = $state.raw<WhatIf | null>(null);

  constructor(
    catalog: Catalog,
    spawn: () => SweepWorker,
    experiment: string,
    wanted: (words: readonly string[]) => boolean,
  ) {
    this.#catalog = catalog;
    this.batch = new Batch(spawn);
    this.#experiment = experiment;
    this.#wanted = wanted;
  }

  /** Carries out all runs, until they are done or cancelled. Results of an earlier pass without a change stay as `before`. */
  async run(seeds: number, whatIf: WhatIf | null): Promise<void> {
    const generation = ++this.#generation;
    if (!whatIf) this.before = [];
    else if (!this.whatIf && this.batch.seen.length > 0) this.before = this.batch.seen;
    this.whatIf = whatIf;
    this.verdicts = [];
    this.batch.clear();
    try {
      const judge = await makeJudge(seeds);
      // Another pass, or a cancel, came in between.
      if (generation === this.#generation && this.batch.isRunning) await this.#begin(judge, whatIf);
    } catch (error) {
      this.batch.fail(messageOf(error));
    }
  }

  async #begin(judge: Judge, whatIf: WhatIf | null): Promise<void> {
    const all = JSON.parse(judge.runs(this.#experiment)) as Run[];
    const runs = all.filter((r) => this.#wanted(wordsOf(r))).map((r) => changed(r, whatIf));
    const items = runs.map((r) => {
      const base = this.#catalog.scenarios.find((s) => s.id === r.scenario);
      if (!base) throw new Error(`the core brings no scenario ${r.scenario}`);
      const { probe, at } = r;
      const scenario = scenarioOf(r, base.scenario);
      return { words: wordsOf(r), scenario, base: r.scenario, probe, at };
    });
    await this.batch.start(
      items,
      (i, values) => {
        judge.add(runs[i]?.key ?? '', values);
      },
      () => {
        this.verdicts = JSON.parse(judge.evaluate(this.#experiment)) as Evaluation[];
      },
    );
  }
}
