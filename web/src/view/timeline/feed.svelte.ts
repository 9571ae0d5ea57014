/**
 * The past of a lane beyond the page's own memory. It is requested from the core for the shown window with a margin,
 * and kept until another one is needed. Meanwhile the old data are shown at their own times.
 */
import { untrack } from 'svelte';
import type { ChartPage } from './tab';

/** Time between two requests for a window while time runs. */
const REFRESH_MS = 250;

/** A requested window; `key` stands for everything else that the answer depends on. */
interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** The parts of the page that a feed reads: time, run and window. */
type FeedPage = Pick<ChartPage, 'config' | 'playback' | 'run' | 'window'>;

/** Feeds one canvas. */
export class Feed<T> {
  /** The present data, with their own times. */
  data = $state.raw<T | null>(null);
  readonly #page: FeedPage;
  readonly #fetch: (fromNs: number, toNs: number) => Promise<T>;
  #isAsking = false;
  #askedAt = -Infinity;
  #wanted: Wanted = { from: 0, to: 1, key: '' };
  /** The request of the present data. */
  #have: (Wanted & { span: number; now: number; edits: unknown; lanes: unknown }) | null = null;

  constructor(page: FeedPage, fetch: (fromNs: number, toNs: number) => Promise<T>) {
    this.#page = page;
    this.#fetch = fetch;
  }

  /** Sets the shown window; requests it from the core if it is not there. */
  show(from: number, to: number, key: string): void {
    this.#wanted = { from, to, key };
    if (!this.#isAsking && untrack(() => this.#isDue())) void this.#ask();
  }

  #isDue(): boolean {
    const { playback, run, config } = this.#page;
    const { from, to, key } = this.#wanted;
    const have = this.#have;
    if (run.status !== 'ready') return false;
    if (have?.edits !== config?.scenario.edits || have?.key !== key) return true;
    if (have.lanes !== run.lanes) return true;
    const covers = from >= have.from && Math.min(to, have.now) <= have.to + 1;
    const isFine = to - from >= have.span / 2.2;
    if (!covers || !isFine) return true;
    // There are new events at the right end.
    if (Math.min(to, run.nowNs) <= have.now) return false;
    return !playback.isPlaying || performance.now() - this.#askedAt > REFRESH_MS;
  }

  async #ask(): Promise<void> {
    const { playback, run, config } = this.#page;
    const { from, to, key } = this.#wanted;
    this.#isAsking = true;
    this.#askedAt = performance.now();
    const margin = (to - from) / 2;
    // The core would have to run beyond the present: only if that part is visible.
    const after = this.#page.window.isFollowing ? 0 : margin;
    const asked = { from: Math.max(0, Math.floor(from - margin)), to: Math.ceil(to + after), key };
    const edits = config?.scenario.edits;
    const now = run.nowNs;
    const { lanes } = run;
    // Data of another run must not be shown, not even for a moment.
    if (this.#have && this.#have.lanes !== lanes) this.data = null;
    await playback.tracked(async () => {
      try {
        const data = await this.#fetch(asked.from, asked.to);
        this.#have = { ...asked, span: to - from, now, edits, lanes };
        this.data = data;
      } catch (error) {
        // The lane may be gone: another run replaced it.
        if (run.lanes === lanes) throw error;
      } finally {
        this.#isAsking = false;
      }
    });
  }
}
