/** One published experiment: its runs in the pool, what they gave so far, and the verdicts. */
import { messageOf } from '../lib/assert';
import { makeJudge, type Judge } from '../sim/sweep/judge';
import { Pool, type SweepWorker } from '../sim/sweep/pool';
import { changed, type Run, scenarioOf, type WhatIf } from '../sim/sweep/run';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';

export type { WhatIf } from '../sim/sweep/run';

/** A number that a claim is about; `null` for what is not known, or for no bound. */
export interface Measure {
  readonly name: string;
  readonly value: number | null;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: Verdict;
}

export type Verdict = 'holds' | 'fails' | 'unavailable';

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

/** What a run gave, with the words of its key (without the experiment). */
export interface Seen {
  readonly words: readonly string[];
  readonly values: Float64Array;
}

/** Pictures of growing curves are made this often at most. */
const SHOW_EVERY_MS = 120;

/** See the module comment. */
export class Replication {
  readonly #catalog: Catalog;
  readonly #spawn: () => SweepWorker;
  readonly #experiment: string;
  readonly #wanted: (words: readonly string[]) => boolean;
  #pool: Pool | null = null;
  #judge: Judge | null = null;
  #runs = new Map<string, Run>();
  #given = new Map<string, Seen>();
  #shownAt = -Infinity;
  #begun = 0;
  #generation = 0;

  status = $state<'idle' | 'running' | 'cancelled' | 'done' | 'failed'>('idle');
  problem = $state('');
  done = $state(0);
  total = $state(0);
  /** Seconds that it went on for, and that it will go on for. */
  elapsedS = $state(0);
  leftS = $state<number | null>(null);
  seen = $state.raw<readonly Seen[]>([]);
  /** What an earlier run of the page gave without the change, to compare with. */
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
    this.#spawn = spawn;
    this.#experiment = experiment;
    this.#wanted = wanted;
  }

  /** Carries out all runs. Results of an earlier pass without a change stay as `before`. */
  async run(seeds: number, whatIf: WhatIf | null): Promise<void> {
    this.cancel();
    const generation = ++this.#generation;
    if (whatIf && !this.whatIf && this.seen.length > 0) this.before = this.seen;
    if (!whatIf) this.before = [];
    this.whatIf = whatIf;
    this.status = 'running';
    [this.problem, this.done, this.total, this.elapsedS, this.leftS] = ['', 0, 0, 0, null];
    [this.seen, this.verdicts] = [[], []];
    this.#given = new Map();
    try {
      const judge = await makeJudge(seeds);
      if (generation !== this.#generation) {
        judge.free();
        return;
      }
      this.#judge?.free();
      this.#judge = judge;
      const all = JSON.parse(judge.runs(this.#experiment)) as Run[];
      const runs = all
        .filter((r) => this.#wanted(r.key.split('/').slice(1)))
        .map((r) => changed(r, whatIf));
      this.#runs = new Map(runs.map((r) => [r.key, r]));
      this.total = runs.length;
      this.#begin(runs, judge);
    } catch (error) {
      this.status = 'failed';
      this.problem = messageOf(error);
    }
  }

  #begin(runs: readonly Run[], judge: Judge): void {
    const jobs = runs.map((r) => ({
      scenario: JSON.stringify(this.#scenario(r)),
      probe: r.probe,
      at: r.at,
    }));
    this.#begun = performance.now();
    this.#pool = new Pool(this.#spawn, navigator.hardwareConcurrency);
    this.#pool.start(jobs, {
      result: (i, values) => {
        const { key } = runs[i] ?? { key: '' };
        judge.add(key, values);
        this.#given.set(key, { words: key.split('/').slice(1), values });
        this.#count();
      },
      refused: (_, message) => {
        this.problem = message;
        this.#count();
      },
      done: () => {
        this.#show();
        this.status = this.problem === '' ? 'done' : 'failed';
        this.leftS = null;
      },
    });
  }

  #count(): void {
    this.done += 1;
    const now = performance.now();
    if (now - this.#shownAt < SHOW_EVERY_MS) return;
    this.#shownAt = now;
    this.#show();
  }

  #show(): void {
    this.elapsedS = (performance.now() - this.#begun) / 1000;
    const rate = this.done / Math.max(this.elapsedS, 0.001);
    this.leftS = this.done < this.total ? (this.total - this.done) / rate : null;
    this.seen = [...this.#given.values()];
    this.verdicts = JSON.parse(this.#judge?.evaluate(this.#experiment) ?? '[]') as Evaluation[];
  }

  /** Stops; what is there stays. */
  cancel(): void {
    this.#generation += 1;
    this.#pool?.cancel();
    this.#pool = null;
    if (this.status !== 'running') return;
    this.#show();
    this.leftS = null;
    this.status = 'cancelled';
  }

  /** The scenario behind a point, with all its schedulers side by side. */
  scenarioAt(isPoint: (words: readonly string[]) => boolean): Scenario | null {
    const runs = [...this.#runs.values()].filter((r) => isPoint(r.key.split('/').slice(1)));
    const first = runs[0];
    if (!first) return null;
    const lanes = new Map(runs.map((r) => [JSON.stringify(r.scheduler), r.scheduler]));
    const scenario = this.#scenario(first);
    return { ...scenario, schedulers: [...lanes.values()].slice(0, 4) };
  }

  #scenario(run: Run): Scenario {
    const base = this.#catalog.scenarios.find((s) => s.id === run.scenario);
    if (!base) throw new Error(`the core brings no scenario ${run.scenario}`);
    return scenarioOf(run, base.scenario);
  }

  /** Ends everything. */
  dispose(): void {
    this.cancel();
    this.#judge?.free();
    this.#judge = null;
  }
}
