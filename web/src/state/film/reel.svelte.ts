/**
 * The run of a film: the scenario of the page in a worker of its own. It goes from picture to picture and stands
 * exactly at the time of each. It neither changes the page nor waits for it.
 */
import { AnswerState } from '../answer/answer.svelte';
import { lastChange, totalsAt } from '../answer/since.svelte';
import type { Config } from '../config.svelte';
import { Hues } from '../hues.svelte';
import { ShownMoment } from '../shown-moment.svelte';
import type { Lab } from '../lab.svelte';
import { Playback } from '../playback.svelte';
import type { Run } from '../run.svelte';
import { Selection } from '../selection.svelte';
import { StageRegime } from '../stage-regime.svelte';
import { TimeWindow } from '../time-window.svelte';

/** What a film takes from the page. */
export type FilmedPage = Pick<
  Lab,
  'answer' | 'config' | 'look' | 'playback' | 'prefs' | 'run' | 'selection' | 'window'
>;

/** Seconds of the film that run before it begins: moves and totals are drawn from the seconds before a picture. */
const BEFORE_S = 3;

/** A clock that never runs by itself. A film can wait for the data that charts request through it. */
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

  /** Waits for all requests; returns whether there were any. */
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
  /** Reports that time runs at the speed of the film, so that machines are drawn in motion. */
  readonly playback: Playback;
  /** Reports that time stands, so that charts request all that they show. */
  readonly still: Still;
  readonly window: TimeWindow;
  readonly answer: AnswerState;
  readonly regime = new StageRegime();
  readonly hues = new Hues();
  readonly moment = new ShownMoment();
  readonly selection = new Selection();
  readonly #seen: Lab['window']['seen'];
  #sinceNs = 0;
  /** Rejects when the worker breaks, so that nothing waits for it for ever. */
  readonly #broken: Promise<never>;
  #break: (error: Error) => void = () => undefined;

  /** Makes the run for a film at a speed, in ns per second. */
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
    // The worker may break while nothing waits for it.
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

  /** The parts that charts read. */
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

  /** Goes on to a time that is not before the present one; all numbers are as of then. */
  async to(ns: number): Promise<void> {
    const { run } = this;
    while (run.nowNs < ns && !run.finished) await this.#unbroken(run.advance(ns));
    await this.#unbroken(run.look());
    await this.#tellSince();
  }

  /** Waits for the data that charts requested; returns whether they had requested any. */
  settled(): Promise<boolean> {
    return this.#unbroken(this.still.settled());
  }

  /** Ends the worker and everything that waits for it. */
  close(): void {
    this.#break(new Error('the recording was ended'));
    this.playback.isPlaying = false;
    this.run.close();
  }

  /** Sums count from the last change, as on the page. */
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
