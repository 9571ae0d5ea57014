/** Runs in the pool: how far they are, how long they will take, and what they gave so far. */
import { processors } from '../browser/processors';
import { Pool, type SweepWorker } from '../sim/sweep/pool';
import type { Scenario } from '../sim/types/Scenario';

/** A run to carry out. */
export interface Item {
  /** What distinguishes it, for charts. */
  readonly words: readonly string[];
  readonly scenario: Scenario;
  /** Id of the shipped scenario that it is a variation of; null for the one on the stage. */
  readonly base: string | null;
  /** Id of the core's probe. */
  readonly probe: string;
  readonly at: readonly number[];
}

/** What a run gave. */
export interface Seen {
  /** Position of the run. */
  readonly index: number;
  readonly words: readonly string[];
  readonly values: Float64Array;
}

/** A run that gave nothing. */
export interface Bad {
  /** Position of the run. */
  readonly index: number;
  /** `invalid`: the core refused the scenario; `failed`: the core broke, or did not load. */
  readonly status: 'invalid' | 'failed';
  readonly message: string;
}

/** Pictures of growing curves are made this often at most. */
const SHOW_EVERY_MS = 120;

/** See the module comment. */
export class Batch {
  readonly #spawn: () => SweepWorker;
  #pool: Pool | null = null;
  #items: readonly Item[] = [];
  #given: Seen[] = [];
  #bad: Bad[] = [];
  #shownAt = -Infinity;
  #begun = 0;
  #over: () => void = () => undefined;

  status = $state<'idle' | 'running' | 'cancelled' | 'done' | 'failed'>('idle');
  /** What the core said about a run that it refused; empty if it refused none. */
  problem = $state('');
  done = $state(0);
  total = $state(0);
  /** Seconds that it went on for, and that it will go on for. */
  elapsedS = $state(0);
  leftS = $state<number | null>(null);
  seen = $state.raw<readonly Seen[]>([]);
  /** Runs that gave nothing; the others go on. */
  bad = $state.raw<readonly Bad[]>([]);

  // Not `$derived`: that would end with the component that first asked for it, and this outlives components.
  get isRunning(): boolean {
    return this.status === 'running';
  }

  get hasRun(): boolean {
    return this.status !== 'idle';
  }

  constructor(spawn: () => SweepWorker) {
    this.#spawn = spawn;
  }

  /** Forgets what there was: something is about to be prepared. */
  clear(): void {
    this.cancel();
    this.status = 'running';
    [this.problem, this.done, this.total, this.elapsedS, this.leftS] = ['', 0, 0, 0, null];
    [this.seen, this.#given, this.bad, this.#bad, this.#items] = [[], [], [], [], []];
  }

  /**
   * Carries out runs, until all are done or it is cancelled. `given` is told of each result, `shown` whenever `seen`
   * is new.
   */
  async start(
    items: readonly Item[],
    given: (index: number, values: Float64Array) => void = () => undefined,
    shown: () => void = () => undefined,
  ): Promise<void> {
    this.clear();
    const over = new Promise<void>((resolve) => {
      this.#over = resolve;
    });
    this.#items = items;
    this.total = items.length;
    this.#begun = performance.now();
    const show = (): void => {
      this.#show();
      shown();
    };
    const count = (): void => {
      this.done += 1;
      const now = performance.now();
      if (now - this.#shownAt < SHOW_EVERY_MS) return;
      this.#shownAt = now;
      show();
    };
    const jobs = items.map(({ scenario, probe, at }) => ({
      scenario: JSON.stringify(scenario),
      probe,
      at,
    }));
    this.#pool = new Pool(this.#spawn, processors());
    this.#pool.start(jobs, {
      result: (i, values) => {
        this.#given.push({ index: i, words: items[i]?.words ?? [], values });
        given(i, values);
        count();
      },
      refused: (index, said, isBroken) => {
        const message = sentence(said);
        this.problem = message;
        this.#bad.push({ index, status: isBroken ? 'failed' : 'invalid', message });
        count();
      },
      done: () => {
        show();
        this.leftS = null;
        this.status = this.problem === '' ? 'done' : 'failed';
        this.#over();
      },
    });
    await over;
  }

  #show(): void {
    this.elapsedS = (performance.now() - this.#begun) / 1000;
    const rate = this.done / Math.max(this.elapsedS, 0.001);
    this.leftS = this.done < this.total ? (this.total - this.done) / rate : null;
    this.seen = [...this.#given];
    this.bad = [...this.#bad];
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

  /**
   * The scenario behind a point, with its schedulers side by side, and what it is a variation of; null if there is
   * none.
   */
  scenarioAt(
    isPoint: (words: readonly string[]) => boolean,
  ): { scenario: Scenario; base: string | null } | null {
    const items = this.#items.filter((item) => isPoint(item.words));
    const first = items[0];
    if (!first) return null;
    const lanes = items.flatMap((item) => item.scenario.schedulers);
    const different = new Map(lanes.map((lane) => [JSON.stringify(lane), lane]));
    const schedulers = [...different.values()].slice(0, 4);
    return { scenario: { ...first.scenario, schedulers }, base: first.base };
  }
}

/** The first of the core's problems, as a sentence. */
function sentence(message: string): string {
  if (!message.startsWith('{')) return message;
  const { errors } = JSON.parse(message) as { errors: { path: string; message: string }[] };
  return errors[0] ? `${errors[0].path}: ${errors[0].message}` : message;
}
