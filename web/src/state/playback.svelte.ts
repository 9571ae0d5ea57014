/**
 * Playing, pausing, stepping, and the only pictures of the page. A picture is drawn in
 * this order: take what the worker answered, paint the canvases, let Svelte update the words.
 */
import { beforePicture } from '../browser/pictures';
import { roundUp125 } from '../lib/scale';
import { clamp, MS, SEC, US } from '../lib/units';
import { Superseded } from '../sim/client';
import type { About, Position, StepKind } from '../sim/protocol';
import type { Run } from './run.svelte';

/** Slowest speed: simulated ns per real second. */
export const MIN_SPEED = US;
/** Fastest speed. */
export const MAX_SPEED = 100 * SEC;
/** Speed at which single moves can be followed with the eye. */
export const DEFAULT_SPEED = 20 * MS;

const MIN_WINDOW_NS = 50 * US;
/** What passes in three seconds at the highest speed. */
const MAX_WINDOW_NS = 300 * SEC;

/** Paints something; returns whether it wants to be painted again in the next frame. */
export type Painter = (nowMs: number) => boolean;

/** A step that is about no thread and no CPU in particular. */
export const ANYTHING: About = { task: -1, cpu: -1 };

/** A seek that takes longer is given up when another one is asked for. */
const PATIENCE_MS = 200;

/** Longest real time that one frame may stand for; a hidden tab does not have to be made up for. */
const MAX_FRAME_MS = 100;

function ignoreSuperseded(error: unknown): void {
  if (!(error instanceof Superseded)) throw error;
}

/** Clock of the page. */
export class Playback {
  isPlaying = $state(false);
  speed = $state(DEFAULT_SPEED);
  /** A lower speed for a while, for a moment worth seeing; whoever changes the speed meanwhile ends it. */
  slowed = $state<number | null>(null);
  /** A speed to go on with from a time on, as a scenario says it; whoever changes the speed before ends that. */
  #later: { readonly atNs: number; readonly speed: number } | null = null;
  /** What passes in a second now. */
  readonly pace = $derived(this.slowed ?? this.speed);
  /** As fast as the computer can, whatever the speed says. */
  isUnbounded = $state(false);
  /** What the speed really was in the last second; lower than `speed` when the machine is too slow. */
  achieved = $state<number | null>(null);
  /** Why the last step did nothing, for a moment. */
  message = $state('');
  /** Stretch of time that timelines show: what passes in about three seconds, in round numbers. */
  readonly windowNs = $derived(
    Math.min(MAX_WINDOW_NS, Math.max(MIN_WINDOW_NS, roundUp125(this.speed * 3, US))),
  );
  /** Time may not pass: nothing plays, steps or goes to another time than the start. */
  isHeld = $state(false);
  /** Where playing ends by itself, and who is told when that time is reached in whatever way. */
  #stop: { readonly atNs: number; readonly reached: () => void } | null = null;
  readonly #run: Run;
  readonly #painters = new Set<Painter>();
  /** Those that take turns; the first is next. */
  readonly #inTurn = new Set<Painter>();
  #raf = 0;
  #lastMs = 0;
  #owedNs = 0;
  #advancing = false;
  #work = 0;
  #seekTo: { ns: number; position: Position | null } | null = null;
  /** Seeks that are under way; the last of them goes to `#goalNs`. */
  #seeking = 0;
  #goalNs = 0;
  #seekingMs = 0;
  #impatience: ReturnType<typeof setTimeout> | undefined;
  #windowMs = 0;
  #windowNs = 0;
  /** Main-thread cost of the last pictures in ms, for measuring. */
  readonly costs: number[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  /** Adds a painter; the returned function takes it away. */
  paintWith(painter: Painter): () => void {
    this.#painters.add(painter);
    this.redraw();
    return () => this.#painters.delete(painter);
  }

  /**
   * The same for a view that follows at half the rate while time runs: such views take turns, so that no picture
   * has to carry all of them.
   */
  paintInTurn(painter: Painter): () => void {
    this.#inTurn.add(painter);
    this.redraw();
    return () => this.#inTurn.delete(painter);
  }

  /** Asks for a picture. */
  redraw(): void {
    if (this.#raf === 0)
      this.#raf = beforePicture((ms) => {
        this.#frame(ms);
      });
  }

  /** Whether time passes as fast as the computer can. */
  get isRushing(): boolean {
    return this.isUnbounded && this.slowed === null;
  }

  /** Passes more slowly for a while, or as fast again as somebody chose. */
  slow(nsPerSecond: number | null): void {
    this.slowed = nsPerSecond;
    this.#windowMs = 0;
    this.achieved = null;
  }

  /** Nothing plays, nothing is asked, nothing is to be drawn. */
  get isIdle(): boolean {
    return !this.isPlaying && this.#raf === 0 && this.#work === 0 && this.#run.pending === 0;
  }

  /** Plays; at the end of the run it begins again. */
  play(): void {
    if (this.isPlaying || this.isHeld) return;
    this.isPlaying = true;
    this.message = '';
    this.#owedNs = 0;
    this.#lastMs = 0;
    if (this.#run.finished || this.#run.nowNs >= this.#run.endNs) void this.seek(0);
    this.redraw();
  }

  /** Stops where it is and asks for what a pause shows. */
  pause(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.achieved = null;
    void this.#tracked(() => this.#run.look());
  }

  /** Plays or pauses. */
  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Sets the speed within its range. */
  setSpeed(nsPerSecond: number): void {
    this.speed = clamp(nsPerSecond, MIN_SPEED, MAX_SPEED);
    this.slowed = null;
    this.isUnbounded = false;
    this.#later = null;
    this.#windowMs = 0;
  }

  /** Plays faster from a time on, unless somebody chooses a speed before. */
  goOnAt(later: { readonly atNs: number; readonly speed: number } | null): void {
    this.#later = later;
  }

  /** Steps, pausing first; whether there was somewhere to go. */
  async step(
    lane: number,
    kind: StepKind,
    back = false,
    about: About = ANYTHING,
  ): Promise<boolean> {
    this.isPlaying = false;
    if (this.isHeld) return false;
    this.arrive();
    let isFound = false;
    await this.#tracked(async () => {
      const found = await this.#run.step(lane, kind, back, about);
      isFound = found === true;
      if (found === 'halted') this.message = 'Stopped on the way.';
      else if (found) this.message = '';
      else this.message = back ? 'This is the start.' : 'No more before the end.';
    });
    return isFound;
  }

  /** Goes to a time; of several calls in a row only the newest counts. */
  async seek(ns: number, position: Position | null = null): Promise<void> {
    if (this.isHeld && ns > 0) return;
    this.message = '';
    this.#seekTo = { ns: clamp(ns, 0, this.#run.endNs), position };
    if (this.#seeking === 0) {
      await this.#goOn();
      return;
    }
    // One that takes long is given up for a newer one; not at once, or a dragged slider would show nothing.
    const left = PATIENCE_MS - (performance.now() - this.#seekingMs);
    this.#impatience ??= setTimeout(
      () => {
        this.#impatience = undefined;
        if (!this.#run.isAwaited) this.arrive();
      },
      Math.max(0, left),
    );
  }

  /** Ends playing at a time (`Infinity`: at the end of the run), once; null: nowhere. */
  stopAt(atNs: number | null, reached: () => void = () => undefined): void {
    this.#stop = atNs === null ? null : { atNs, reached };
  }

  #lookForStop(): void {
    const stop = this.#stop;
    const { endNs, finished, nowNs } = this.#run;
    if (!stop || (nowNs < stop.atNs && !finished && nowNs < endNs)) return;
    this.#stop = null;
    this.pause();
    stop.reached();
  }

  /** The time that was asked for last: what is asked for now concerns that one. */
  get goalNs(): number {
    return this.#seekTo?.ns ?? (this.#seeking > 0 ? this.#goalNs : this.#run.nowNs);
  }

  /**
   * Sends the seek that waits for another one. What is sent after it finds the lanes at its end, never where the other
   * one was given up.
   */
  arrive(): void {
    if (this.#seekTo === null) return;
    void this.#tracked(() => this.#run.cancelSeek());
    void this.#goOn();
  }

  /** Whatever is on its way to another time stops where it is. */
  halt(): void {
    this.#seekTo = null;
    void this.#tracked(() => this.#run.halt());
  }

  async #goOn(): Promise<void> {
    const to = this.#seekTo;
    if (to === null) return;
    this.#seekTo = null;
    clearTimeout(this.#impatience);
    this.#impatience = undefined;
    this.#seeking += 1;
    this.#goalNs = to.ns;
    this.#seekingMs = performance.now();
    await this.#tracked(async () => {
      try {
        await this.#run.seek(to.ns, to.position);
        this.#owedNs = 0;
        this.#lookForStop();
      } catch (error) {
        // Of another run: what waits is no longer wanted either.
        this.#seekTo = null;
        throw error;
      } finally {
        this.#seeking -= 1;
      }
    });
    if (this.#seeking === 0) await this.#goOn();
  }

  /** Runs work of others so that `isIdle` knows of it, and draws afterwards. */
  async tracked(work: () => Promise<void>): Promise<void> {
    await this.#tracked(work);
  }

  async #tracked(work: () => Promise<void>): Promise<void> {
    this.#work += 1;
    try {
      await work();
    } catch (error) {
      ignoreSuperseded(error);
    } finally {
      this.#work -= 1;
      this.redraw();
    }
  }

  #frame(ms: number): void {
    this.#raf = 0;
    const began = performance.now();
    if (this.isPlaying) this.#advance(ms);
    let again = this.isPlaying;
    for (const paint of [...this.#painters, ...this.#due()]) again = paint(ms) || again;
    if (this.isPlaying) this.#run.tell();
    this.costs.push(performance.now() - began);
    if (this.costs.length > 600) this.costs.shift();
    if (again) this.redraw();
  }

  /** Whose turn it is. */
  #due(): readonly Painter[] {
    const due = [...this.#inTurn];
    if (!this.isPlaying) return due;
    due.length = Math.ceil(due.length / 2);
    for (const painter of due) {
      this.#inTurn.delete(painter);
      this.#inTurn.add(painter);
    }
    return due;
  }

  #advance(ms: number): void {
    const dt = this.#lastMs === 0 ? 0 : Math.min(MAX_FRAME_MS, ms - this.#lastMs);
    this.#lastMs = ms;
    const later = this.#later;
    // A moment that is worth seeing is shown first.
    if (later && this.slowed === null && this.#run.nowNs >= later.atNs) this.setSpeed(later.speed);
    // What a busy worker could not do in time is not owed for ever: the clock slows down instead.
    const most = (this.pace * MAX_FRAME_MS) / 1000;
    this.#owedNs = this.isRushing
      ? this.#run.endNs
      : Math.min(most, this.#owedNs + (dt * this.pace) / 1000);
    this.#measure(ms);
    if (this.#advancing || this.#seeking > 0 || this.#owedNs < 1) return;
    if (this.#run.status !== 'ready') return;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#advancing = true;
    const before = this.#run.nowNs;
    try {
      await this.#run.advance(Math.min(before + this.#owedNs, this.#stop?.atNs ?? Infinity));
      this.#owedNs = Math.max(0, this.#owedNs - (this.#run.nowNs - before));
      this.#lookForStop();
      if (this.#run.finished || this.#run.nowNs >= this.#run.endNs) this.pause();
    } catch (error) {
      ignoreSuperseded(error);
    } finally {
      this.#advancing = false;
    }
  }

  #measure(ms: number): void {
    if (this.#windowMs === 0 || this.#run.nowNs < this.#windowNs) {
      this.#windowMs = ms;
      this.#windowNs = this.#run.nowNs;
      return;
    }
    if (ms - this.#windowMs < 1000) return;
    const got = ((this.#run.nowNs - this.#windowNs) * 1000) / (ms - this.#windowMs);
    this.achieved = this.isRushing || got < this.pace * 0.85 ? got : null;
    this.#windowMs = ms;
    this.#windowNs = this.#run.nowNs;
  }
}
