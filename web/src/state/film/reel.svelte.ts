/**
 * The run of a film: the scenario of the page once more, in a worker of its own, which goes from picture to picture and
 * stands exactly at the time of each. The page is neither touched nor waited for.
 */
import { AnswerState } from '../answer/answer.svelte';
import { lastChange, totalsAt } from '../answer/since.svelte';
import type { Config } from '../config.svelte';
import { Crowd } from '../crowd.svelte';
import { Eye } from '../eye.svelte';
import type { Lab } from '../lab.svelte';
import { Playback } from '../playback.svelte';
import type { Run } from '../run.svelte';
import { Selection } from '../selection.svelte';
import { StageRegime } from '../stage-regime.svelte';
import { TimeWindow } from '../time-window.svelte';

/** What a film takes from the page: what is shown, and how. */
export type FilmedPage = Pick<
  Lab,
  'answer' | 'config' | 'look' | 'playback' | 'prefs' | 'run' | 'selection' | 'window'
>;

/** Seconds of the film that are run through before it begins: what moves and what is added up looks back so far. */
const BEFORE_S = 3;

/** A clock that does not go by itself; what charts ask of the core can be waited for. */
class Still extends Playback {
  readonly #asked = new Set<Promise<void>>();

  override async tracked(work: () => Promise<void>): Promise<void> {
    const asked = super.tracked(work);
    this.#asked.add(asked);
    try {
      await asked;
    } finally {
      this.#asked.delete(asked);
    }
  }

  /** Waits for all that was asked; whether there was anything. */
  async settled(): Promise<boolean> {
    const all = [...this.#asked];
    await Promise.all(all);
    return all.length > 0;
  }
}

/** See the module comment. It has the parts of a page that painters look at. */
export class Reel {
  readonly config: Config;
  readonly look: Lab['look'];
  readonly prefs: Lab['prefs'];
  readonly run: Run;
  /** Says that time runs, at the speed of the film: so machines are drawn as they move. */
  readonly playback: Playback;
  /** Says that time stands: so charts ask for all that they show. */
  readonly still: Still;
  readonly window: TimeWindow;
  readonly answer: AnswerState;
  readonly regime = new StageRegime();
  readonly crowd = new Crowd();
  readonly eye = new Eye();
  readonly selection = new Selection();
  readonly #seen: Lab['window']['seen'];
  #sinceNs = 0;
  /** Ends what waits for a worker that will not answer. */
  readonly #broken: Promise<never>;
  #break: (error: Error) => void = () => undefined;

  /** Makes it for films at a speed, in ns per second. */
  constructor(page: FilmedPage, speed: number) {
    const { config } = page;
    if (!config) throw new Error('nothing runs that could be recorded');
    this.config = config;
    this.look = page.look;
    this.prefs = page.prefs;
    this.run = page.run.apart();
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    this.run.onFault = ({ message }) => {
      this.#break(new Error(message));
    };
    // Nobody may be waiting when it breaks.
    this.#broken.catch(() => undefined);
    this.playback = new Playback(this.run);
    this.playback.isPlaying = true;
    this.still = new Still(this.run);
    for (const clock of [this.playback, this.still]) clock.setSpeed(speed);
    this.window = new TimeWindow(this.run, this.still, this.regime);
    this.answer = new AnswerState(this);
    this.answer.choice = page.answer.choice;
    this.#seen = page.window.seen;
    this.selection.thread = page.selection.thread;
    this.selection.lane = page.selection.lane;
    this.window.column = page.window.column;
    const { chosenTab } = page.window;
    if (chosenTab) this.window.tab = chosenTab;
    else this.window.open('runs');
  }

  /** The parts that charts look at. */
  get charts() {
    const { config, look, prefs, run, selection, still: playback, window } = this;
    return { config, look, playback, prefs, run, selection, window };
  }

  /** Gets ready for a film that begins at `fromNs`; returns the time at which its first pictures may be drawn. */
  async open(fromNs: number): Promise<number> {
    const { config, run, still } = this;
    await this.#unbroken(run.load());
    const spanNs = this.#seen?.spanNs ?? still.windowNs;
    const before = Math.max(spanNs, BEFORE_S * still.speed);
    const at = Math.max(0, fromNs - before);
    const { scenario } = await this.#unbroken(run.configure(config.scenario, at));
    if (!scenario) throw new Error('the core does not run this scenario again');
    this.window.follow(this.#seen?.spanNs ?? null);
    const from = this.#seen?.fromNs;
    if (this.#seen && from != null) this.window.set(from, from + this.#seen.spanNs);
    return run.nowNs;
  }

  /** Goes on to a time, not before the present one; every number is as of then. */
  async to(ns: number): Promise<void> {
    const { run } = this;
    while (run.nowNs < ns && !run.finished) await this.#unbroken(run.advance(ns));
    await this.#unbroken(run.look());
    await this.#tellSince();
  }

  /** Waits for what charts asked of the core; whether they had asked for anything. */
  settled(): Promise<boolean> {
    return this.#unbroken(this.still.settled());
  }

  /** Ends the worker, and whatever waits for it. */
  close(): void {
    this.#break(new Error('the recording was ended'));
    this.playback.isPlaying = false;
    this.run.close();
  }

  /** Sums are told since the last change, as on the page. */
  async #tellSince(): Promise<void> {
    const { run, config } = this;
    const atNs = lastChange(config.scenario.edits, run.nowNs);
    if (atNs === this.#sinceNs) return;
    this.#sinceNs = atNs;
    for (const lane of run.lanes)
      lane.since = atNs > 0 ? await this.#unbroken(totalsAt(run, lane, atNs)) : null;
  }

  #unbroken<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#broken]);
  }
}
