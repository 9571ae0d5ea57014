/**
 * The past of a lane beyond what the page itself remembers: asked of the core for the window that is shown and a
 * margin around it, and kept until another one is needed. What is shown meanwhile is what there was, at its own times.
 */
import { untrack } from 'svelte';
import type { ChartPage } from './tab';

/** While time runs, a window is asked anew this often. */
const REFRESH_MS = 250;

/** A window that is wanted; `key` names what else the answer depends on. */
interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** What a feed looks at: time, the run, and what is seen of it. */
type FeedPage = Pick<ChartPage, 'config' | 'playback' | 'run' | 'window'>;

/** Feeds one canvas. */
export class Feed<T> {
  /** What there is; its times say what it is about. */
  data = $state.raw<T | null>(null);
  readonly #page: FeedPage;
  readonly #fetch: (fromNs: number, toNs: number) => Promise<T>;
  #isAsking = false;
  #askedAt = -Infinity;
  #wanted: Wanted = { from: 0, to: 1, key: '' };
  /** What the answer at hand was asked for. */
  #have: (Wanted & { span: number; now: number; edits: unknown; lanes: unknown }) | null = null;

  constructor(page: FeedPage, fetch: (fromNs: number, toNs: number) => Promise<T>) {
    this.#page = page;
    this.#fetch = fetch;
  }

  /** Says what is shown; asks the core if that is not at hand. */
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
    // New events at the right end.
    if (Math.min(to, run.nowNs) <= have.now) return false;
    return !playback.isPlaying || performance.now() - this.#askedAt > REFRESH_MS;
  }

  async #ask(): Promise<void> {
    const { playback, run, config } = this.#page;
    const { from, to, key } = this.#wanted;
    this.#isAsking = true;
    this.#askedAt = performance.now();
    const margin = (to - from) / 2;
    // Beyond the present is run through for those alone who can see it.
    const after = this.#page.window.isFollowing ? 0 : margin;
    const asked = { from: Math.max(0, Math.floor(from - margin)), to: Math.ceil(to + after), key };
    const edits = config?.scenario.edits;
    const now = run.nowNs;
    const { lanes } = run;
    // Of another run nothing may be shown, not even for a moment.
    if (this.#have && this.#have.lanes !== lanes) this.data = null;
    await playback.tracked(async () => {
      try {
        const data = await this.#fetch(asked.from, asked.to);
        this.#have = { ...asked, span: to - from, now, edits, lanes };
        this.data = data;
      } catch (error) {
        // The lane may be gone: another run took the place of the one that was asked.
        if (run.lanes === lanes) throw error;
      } finally {
        this.#isAsking = false;
      }
    });
  }
}
