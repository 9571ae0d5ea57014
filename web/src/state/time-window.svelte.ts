/** The span of time that all timelines show: one axis for every lane and every chart. */
import { hasOwnHues } from '../lib/thread-hues';
import { clamp, US } from '../lib/units';
import type { Playback } from './playback.svelte';
import type { Run } from './run.svelte';
import type { Seen, TimelineTab } from '../link/view';
import type { StageRegime } from './stage-regime.svelte';

/** Shortest span that can be shown. */
const MIN_SPAN_NS = US;

/** Largest part of the span that lies after the present. */
const MOST_AHEAD = 0.26;

/** Part of a run, in simulated ns. */
export interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Follows the present until the user goes to another time. */
export class TimeWindow {
  #tab = $state<TimelineTab>('runs');
  #isByHand = $state(false);
  /**
   * While moves are added up, the tab of slices cannot be followed. Until time is slower again or the user chooses a
   * tab, shares take its place. Queue lengths do, where so many threads run that they have no hues of their own.
   * Other tabs add up by themselves, or were chosen by the scenario.
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
  /** The span whose sums are shown, in every lane. */
  marked = $state.raw<Span | null>(null);
  /** Time under the pointer, in every lane. */
  cursorNs = $state<number | null>(null);
  readonly #run: Run;
  readonly #playback: Playback;
  readonly #regime: StageRegime;
  #span = $state<number | null>(null);
  #fixedFrom = $state<number | null>(null);
  /** Length of the span: chosen, or what passes in a few seconds at this speed. */
  readonly spanNs = $derived.by(() =>
    Math.min(this.#span ?? this.#playback.windowNs, this.#longest),
  );
  /** Beginning of the span for text and sliders: not updated in every picture. */
  readonly calmFromNs = $derived.by(() => this.#begin(this.#run.calmNs));
  /** Whether its end moves with the present. */
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

  /** The tab that all lanes show. */
  get tab(): TimelineTab {
    return this.#shown;
  }

  /** The user chooses a tab. */
  set tab(tab: TimelineTab) {
    this.#tab = tab;
    this.#isByHand = true;
  }

  /** The tab that the user or the scenario chose; null where the regime decides. */
  get chosenTab(): TimelineTab | null {
    return this.#isByHand || this.#tab !== 'runs' ? this.#tab : null;
  }

  /** The tab that a scenario opens with. */
  open(tab: TimelineTab): void {
    this.#tab = tab;
    this.#isByHand = false;
  }

  /** Beginning of the span in the newest picture. */
  get fromNs(): number {
    return this.#begin(this.#run.nowNs);
  }

  /** Its end. */
  get toNs(): number {
    return this.fromNs + this.spanNs;
  }

  /** What is shown of the time to come: when a control group gets CPU time again. */
  get #aheadNs(): number {
    const limits = this.#run.lanes.flatMap((lane) => lane.calmLimits);
    const longest = Math.max(0, ...limits.map(({ periodNs }) => periodNs));
    return Math.min(longest, this.spanNs * MOST_AHEAD);
  }

  #begin(nowNs: number): number {
    const from = this.#fixedFrom ?? Math.max(0, nowNs + this.#aheadNs - this.spanNs);
    return clamp(from, 0, Math.max(0, this.#run.endNs - this.spanNs));
  }

  get #longest(): number {
    return Math.max(MIN_SPAN_NS, this.#run.endNs);
  }

  /** Shows exactly this span. */
  set(fromNs: number, toNs: number): void {
    const span = clamp(toNs - fromNs, MIN_SPAN_NS, this.#longest);
    this.#span = span;
    const from = clamp(fromNs, 0, Math.max(0, this.#run.endNs - span));
    // When the user drags the present to the right edge, the span follows it again.
    const end = this.#run.nowNs + this.#aheadNs;
    this.#fixedFrom = Math.abs(from + span - end) < span / 500 ? null : from;
  }

  /** Marks a span of the past, or none. */
  mark(span: Span | null): void {
    const end = this.#run.nowNs;
    const fromNs = Math.round(clamp(span?.fromNs ?? 0, 0, end));
    const toNs = Math.round(clamp(span?.toNs ?? 0, 0, end));
    this.marked = toNs > fromNs ? { fromNs, toNs } : null;
  }

  /** Moves an end of the mark to the time under the pointer, else to the middle or the end of the shown span. */
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

  /** The chosen span; null where it follows the present at the length for the speed. */
  get seen(): Seen | null {
    const fromNs = this.#fixedFrom;
    if (fromNs !== null) return { fromNs: Math.round(fromNs), spanNs: Math.round(this.spanNs) };
    return this.#span === null ? null : { fromNs: null, spanNs: Math.round(this.#span) };
  }

  /** Zooms in (below 1) or out; the given time stays in place. */
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

  /** Follows the present again, with a given length or with the length for the speed. */
  follow(spanNs: number | null = null): void {
    this.#span = spanNs === null ? null : Math.max(MIN_SPAN_NS, spanNs);
    this.#fixedFrom = null;
  }
}
