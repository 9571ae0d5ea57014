/**
 * Playing, pausing, stepping, and the only animation frame of the page. A picture is drawn in this order: take the
 * worker's answer, paint the canvases, let Svelte update the text.
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
/** Simulated time of three seconds at the highest speed. */
const MAX_WINDOW_NS = 300 * SEC;

/** Paints something; returns whether it wants to be painted again in the next frame. */
export type Painter = (nowMs: number) => boolean;

/** No particular thread or CPU: a step stops at any event of its kind. */
export const ANYTHING: About = { task: -1, cpu: -1 };

/** A seek that takes longer than this is given up when another one is requested. */
const PATIENCE_MS = 200;

/** Longest real time that one frame may stand for; a hidden tab does not catch up. */
const MAX_FRAME_MS = 100;

/** Most slices of work that begin for one picture: a slice is shorter than a picture. A hidden tab, without pictures, stops. */
const SLICES = 2;

function ignoreSuperseded(error: unknown): void {
  if (!(error instanceof Superseded)) throw error;
}

/** Clock of the page. */
export class Playback {
  isPlaying = $state(false);
  speed = $state(DEFAULT_SPEED);
  /** A lower speed for a moment worth seeing; it ends when the user changes the speed. */
  slowed = $state<number | null>(null);
  /**
   * The speed after the scenario's opening, and the time when it begins; dropped when the user changes the speed
   * before.
   */
  #later: { readonly atNs: number; readonly speed: number } | null = null;
  /** Simulated ns per second now. */
  readonly pace = $derived(this.slowed ?? this.speed);
  /** Runs as fast as the computer can, whatever the speed. */
  isUnbounded = $state(false);
  /** The real speed in the last second; lower than `speed` when the computer is too slow. */
  achieved = $state<number | null>(null);
  /** Why the last step did nothing. */
  message = $state('');
  /** Stretch of time that timelines show: what passes in about three seconds, in round numbers. */
  readonly windowNs = $derived(
    Math.min(MAX_WINDOW_NS, Math.max(MIN_WINDOW_NS, roundUp125(this.speed * 3, US))),
  );
  /** Time must stand: nothing plays, steps or seeks, except to the start. */
  isHeld = $state(false);
  /** Where playing ends by itself; `reached` is called when that time is reached by playing or by a seek. */
  #stop: { readonly atNs: number; readonly reached: () => void } | null = null;
  readonly #run: Run;
  readonly #painters = new Set<Painter>();
  /** Painters that take turns; the first is next. */
  readonly #inTurn = new Set<Painter>();
  #raf = 0;
  #lastMs = 0;
  #owedNs = 0;
  #advancing = false;
  /** How many slices may still begin before the next picture. */
  #slicesLeft = 0;
  #work = 0;
  #seekTo: { ns: number; position: Position | null } | null = null;
  /** Seeks in progress; the last of them goes to `#goalNs`. */
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
   * The same for a view that is painted in every second picture while time runs. Such views take turns, so that no
   * picture has to paint all of them.
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

  /** Paints everything at once, as for paper: a picture that is only asked for would come too late. */
  paintNow(): void {
    const ms = performance.now();
    for (const paint of [...this.#painters, ...this.#inTurn]) paint(ms);
  }

  /** Whether time passes as fast as the computer can. */
  get isRushing(): boolean {
    return this.isUnbounded && this.slowed === null;
  }

  /** Slows time down, or returns to the chosen speed with null. */
  slow(nsPerSecond: number | null): void {
    this.slowed = nsPerSecond;
    this.#windowMs = 0;
    this.achieved = null;
  }

  /** Whether nothing plays, no request is open, and nothing is to be drawn. */
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

  /** Stops at the present time and requests what a pause shows. */
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

  /** Changes the speed at a time, unless the user chooses a speed before. */
  goOnAt(later: { readonly atNs: number; readonly speed: number } | null): void {
    this.#later = later;
  }

  /** Pauses and makes a step; returns whether an event was found. */
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
    // A long seek is given up for a newer one, but not at once: a dragged slider would show nothing.
    const left = PATIENCE_MS - (performance.now() - this.#seekingMs);
    this.#impatience ??= setTimeout(
      () => {
        this.#impatience = undefined;
        if (!this.#run.isAwaited) this.arrive();
      },
      Math.max(0, left),
    );
  }

  /** Goes to a time, even while the run is held: for a look that is taken back at once. */
  async lookAt(ns: number): Promise<void> {
    this.#seekTo = { ns, position: null };
    if (this.#seeking === 0) await this.#goOn();
  }

  /** Ends playing once at a time (`Infinity`: at the end of the run); null: no longer. */
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

  /** The time that was requested last: requests made now refer to it. */
  get goalNs(): number {
    return this.#seekTo?.ns ?? (this.#seeking > 0 ? this.#goalNs : this.#run.nowNs);
  }

  /**
   * Sends the seek that waits for another one. Requests sent after it find the lanes at its end, never where the
   * other seek was given up.
   */
  arrive(): void {
    if (this.#seekTo === null) return;
    void this.#tracked(() => this.#run.cancelSeek());
    void this.#goOn();
  }

  /** Stops a seek or step where it is. */
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
        // Another run has begun: a waiting seek is dropped, too.
        this.#seekTo = null;
        throw error;
      } finally {
        this.#seeking -= 1;
      }
    });
    if (this.#seeking === 0) await this.#goOn();
  }

  /** Runs other work so that `isIdle` knows about it, and draws afterwards. */
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

  /** The painters whose turn it is. */
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
    // A clock that goes back would take away time that nobody owes.
    const dt = this.#lastMs === 0 ? 0 : clamp(ms - this.#lastMs, 0, MAX_FRAME_MS);
    this.#lastMs = ms;
    const later = this.#later;
    // Full speed was chosen since. An announced moment comes first: then the speed waits.
    if (this.isUnbounded) this.#later = null;
    else if (later && this.slowed === null && this.#run.nowNs >= later.atNs)
      this.setSpeed(later.speed);
    // The clock slows down for a busy worker: what it could not do in time is not made up later.
    const most = (this.pace * MAX_FRAME_MS) / 1000;
    this.#owedNs = this.isRushing
      ? this.#run.endNs
      : Math.min(most, this.#owedNs + (dt * this.pace) / 1000);
    this.#measure(ms);
    this.#slicesLeft = SLICES;
    this.#askIfOwed();
  }

  #askIfOwed(): void {
    if (this.#advancing || this.#seeking > 0 || this.#owedNs < 1 || this.#slicesLeft === 0) return;
    if (this.#run.status !== 'ready') return;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#advancing = true;
    this.#slicesLeft -= 1;
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
    // Workers that are behind do not wait for the next picture.
    if (this.isPlaying) this.#askIfOwed();
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
