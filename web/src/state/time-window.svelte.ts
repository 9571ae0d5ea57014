/** The stretch of time that all timelines show: one axis for every lane and every chart. */
import { hasOwnHues } from '../lib/thread-hues';
import { clamp, US } from '../lib/units';
import type { Playback } from './playback.svelte';
import type { Run } from './run.svelte';
import type { Seen, TimelineTab } from '../link/view';
import type { StageRegime } from './stage-regime.svelte';

/** Shortest stretch that can be looked at. */
const MIN_SPAN_NS = US;

/** Part of a run, in simulated ns. */
export interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Follows the present until somebody looks elsewhere. */
export class TimeWindow {
  #tab = $state<TimelineTab>('runs');
  #isByHand = $state(false);
  /**
   * Who ran when cannot be followed where moves are added up: until time is slower again or somebody chooses, the shares
   * take its place, or the lengths of the queues where so many share that threads have no hues of their own. Other tabs add up themselves, or say what a scenario is about.
   */
  readonly #shown = $derived.by((): TimelineTab =>
    !this.#isByHand && this.#tab === 'runs' && this.#regime.settled === 'totals'
      ? this.#ofTotals
      : this.#tab,
  );
  /** Column of the scheduler that `values` shows, by label; another one where a lane has no such column. */
  column = $state('');
  /** Kind of decision that `events` lists; empty for all. */
  eventKind = $state('');
  /** The span whose sums are told, in every lane. */
  marked = $state.raw<Span | null>(null);
  /** Time under the pointer, in every lane. */
  cursorNs = $state<number | null>(null);
  readonly #run: Run;
  readonly #playback: Playback;
  readonly #regime: StageRegime;
  #span = $state<number | null>(null);
  #fixedFrom = $state<number | null>(null);
  /** Length of the stretch: chosen, or what passes in a few seconds at this speed. */
  readonly spanNs = $derived.by(() =>
    Math.min(this.#span ?? this.#playback.windowNs, this.#longest),
  );
  /** Begin of the stretch as words and sliders tell it: not in every picture. */
  readonly calmFromNs = $derived.by(() => this.#begin(this.#run.calmNs));
  /** Whether its end goes with the present. */
  readonly isFollowing = $derived(this.#fixedFrom === null);

  constructor(run: Run, playback: Playback, regime: StageRegime) {
    this.#run = run;
    this.#playback = playback;
    this.#regime = regime;
  }

  get #ofTotals(): TimelineTab {
    const [first] = this.#run.lanes;
    return first && hasOwnHues(first.names) ? 'shares' : 'waiting';
  }

  /** What all lanes show. */
  get tab(): TimelineTab {
    return this.#shown;
  }

  /** Somebody chooses. */
  set tab(tab: TimelineTab) {
    this.#tab = tab;
    this.#isByHand = true;
  }

  /** What was chosen by somebody or by the scenario; null where the regime decides. */
  get chosenTab(): TimelineTab | null {
    return this.#isByHand || this.#tab !== 'runs' ? this.#tab : null;
  }

  /** The tab that a scenario opens with. */
  open(tab: TimelineTab): void {
    this.#tab = tab;
    this.#isByHand = false;
  }

  /** Begin of the stretch in the newest picture. */
  get fromNs(): number {
    return this.#begin(this.#run.nowNs);
  }

  /** Its end. */
  get toNs(): number {
    return this.fromNs + this.spanNs;
  }

  #begin(nowNs: number): number {
    const from = this.#fixedFrom ?? Math.max(0, nowNs - this.spanNs);
    return clamp(from, 0, Math.max(0, this.#run.endNs - this.spanNs));
  }

  get #longest(): number {
    return Math.max(MIN_SPAN_NS, this.#run.endNs);
  }

  /** Shows exactly this. */
  set(fromNs: number, toNs: number): void {
    const span = clamp(toNs - fromNs, MIN_SPAN_NS, this.#longest);
    this.#span = span;
    const from = clamp(fromNs, 0, Math.max(0, this.#run.endNs - span));
    // Who pulls the present to the right edge goes on with it.
    this.#fixedFrom = Math.abs(from + span - this.#run.nowNs) < span / 500 ? null : from;
  }

  /** Marks a span of what has run, or nothing. */
  mark(span: Span | null): void {
    const end = this.#run.nowNs;
    const fromNs = Math.round(clamp(span?.fromNs ?? 0, 0, end));
    const toNs = Math.round(clamp(span?.toNs ?? 0, 0, end));
    this.marked = toNs > fromNs ? { fromNs, toNs } : null;
  }

  /** Moves an end of the mark to the time under the pointer, else to the middle or the end of what is seen. */
  markTo(end: 'begin' | 'end', nowNs: number): void {
    const { marked, cursorNs, fromNs, toNs } = this;
    const seenTo = Math.min(toNs, nowNs);
    if (end === 'begin') {
      const at = cursorNs ?? (fromNs + seenTo) / 2;
      this.mark({ fromNs: at, toNs: marked && marked.toNs > at ? marked.toNs : seenTo });
    } else {
      const at = cursorNs ?? seenTo;
      this.mark({ fromNs: marked && marked.fromNs < at ? marked.fromNs : fromNs, toNs: at });
    }
  }

  /** What was chosen to be seen; null where it follows the present at the length that suits the speed. */
  get seen(): Seen | null {
    const fromNs = this.#fixedFrom;
    if (fromNs !== null) return { fromNs: Math.round(fromNs), spanNs: Math.round(this.spanNs) };
    return this.#span === null ? null : { fromNs: null, spanNs: Math.round(this.#span) };
  }

  /** Zooms in (below 1) or out, the given time staying where it is. */
  zoom(factor: number, aroundNs?: number): void {
    const span = clamp(this.spanNs * factor, MIN_SPAN_NS, this.#longest);
    if (this.isFollowing && aroundNs === undefined) {
      this.#span = span;
      return;
    }
    const around = aroundNs ?? this.fromNs + this.spanNs / 2;
    const part = (around - this.fromNs) / this.spanNs;
    this.set(around - part * span, around + (1 - part) * span);
  }

  /** Moves by a part of its length. */
  pan(part: number): void {
    const by = part * this.spanNs;
    this.set(this.fromNs + by, this.toNs + by);
  }

  /** The whole run so far. */
  showAll(): void {
    this.set(0, Math.max(MIN_SPAN_NS, this.#run.nowNs));
  }

  /** Goes with the present again, at a length or at the one that suits the speed. */
  follow(spanNs: number | null = null): void {
    this.#span = spanNs === null ? null : Math.max(MIN_SPAN_NS, spanNs);
    this.#fixedFrom = null;
  }
}
