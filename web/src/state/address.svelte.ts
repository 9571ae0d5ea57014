/** The address bar: follows the page a few times a second, and the page follows it. */
import { type Form, type Page, readLink, writeLink } from '../link/link';
import { readPlace } from '../link/place';
import type { LinkView } from '../link/view';
import type { Stage } from './stage';
import { DEFAULT_SPEED } from './playback.svelte';

/** Browsers refuse pages that change their address too often. */
const EVERY_MS = 400;
/** While time runs nobody copies the link, and a reload comes back to where it was not long ago. */
const PLAYING_MS = 4000;

/** Keeps the link of the present moment. */
export class Address {
  readonly #lab: Stage;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = -Infinity;
  #due = Infinity;
  /** Links that are being opened: meanwhile the page shows something else than the address bar says. */
  #opening = 0;
  /** The link of the laboratory as it was last written; empty before. */
  fragment = $state('');

  constructor(lab: Stage) {
    this.#lab = lab;
  }

  /** Whether the address bar is about to change. */
  get isDue(): boolean {
    return this.#timer !== undefined;
  }

  /** Keeps the address bar at the present moment from now on. */
  follow(): void {
    $effect.root(() => {
      $effect(() => {
        const { config, kept, run, selection, playback, look } = this.#lab;
        void [
          kept.id,
          config?.scenario,
          config?.baseId,
          run.calmNs,
          run.position,
          run.lanes.map((l) => l.digest),
        ];
        void [playback.isPlaying, selection.lane, selection.thread, playback.speed, look.view];
        void this.#lab.places.at;
        this.#plan();
      });
    });
  }

  #plan(): void {
    if (!this.#lab.config || !this.#isFollowed) return;
    const due = this.#at + (this.#lab.playback.isPlaying ? PLAYING_MS : EVERY_MS);
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => void this.update(), Math.max(0, due - performance.now()));
  }

  /** Whether the address bar is to say what the laboratory shows. */
  get #isFollowed(): boolean {
    return this.#lab.places.at === null && this.#opening === 0;
  }

  /** What a link to the present moment is made of. */
  get page(): Page | null {
    const { config, run, selection, playback, look, opened } = this.#lab;
    if (!config) return null;
    const view: LinkView = { ...look.view };
    const { scenario, baseId } = config;
    const { nowNs: t, position } = run;
    const isOpening = !position && opened?.atNs === t && opened.speed === playback.speed;
    const { lane, thread } = selection;
    if (lane > 0) view.lane = lane;
    // What it selects by itself has not to be said.
    if (thread !== null && !(isOpening && thread === scenario.opening?.select))
      view.thread = thread;
    if (playback.speed !== DEFAULT_SPEED && !isOpening) view.speed = Math.round(playback.speed);
    const digests = run.lanes.map((l) => l.digest);
    return { scenario, baseId, t, position, digests, view, isOpening };
  }

  /** A fragment for a page that may differ from the present one. */
  async fragmentOf(page: Page, form: Form = {}): Promise<string> {
    const { catalog } = this.#lab.run;
    const { kept } = this.#lab;
    if (!catalog) return '';
    const fragment = await writeLink(page, catalog, { kept: kept.id, ...form });
    // It would open nothing before that.
    if (/(^|&)kept=/.test(fragment)) await kept.keep(true);
    return fragment;
  }

  /** Puts the present moment into the address bar now. */
  async update(): Promise<void> {
    clearTimeout(this.#timer);
    this.#at = performance.now();
    const page = this.#isFollowed ? this.page : null;
    try {
      const fragment = page && (await this.fragmentOf(page));
      // Packing took a moment, in which something else may have been opened.
      if (fragment !== null && this.#isFollowed) {
        this.fragment = fragment;
        history.replaceState({ work: this.#lab.kept.id }, '', `#${fragment}`);
      }
    } catch {
      // A sandboxed frame, too many changes, or a link that cannot be written: the next one may be.
    }
    this.#timer = undefined;
    // Packing takes a moment, in which the run may have gone on.
    const now = this.page;
    if (
      page &&
      now &&
      (now.t !== page.t || now.position !== page.position || now.scenario !== page.scenario)
    )
      this.#plan();
  }

  /** Goes to a link of this page as an entry of its own in the history. What is open already opens anew. */
  async go(fragment: string): Promise<void> {
    if (location.hash !== `#${fragment}`) history.pushState(null, '', `#${fragment}`);
    if (readPlace(fragment) === null) this.fragment = '';
    await this.followHash(fragment);
  }

  /** Goes where the address bar says, after a link, a typed address, or a way back. */
  async followHash(fragment: string): Promise<void> {
    const { places, config, run } = this.#lab;
    // Without the core there is nothing to open yet.
    if (!run.catalog && readPlace(fragment) === null) return;
    if (places.take(fragment)) {
      // A sweep of one's own is about the scenario in the laboratory.
      if (places.route && !config) await this.#open(places.route.sweep.on);
      return;
    }
    if (fragment.replace(/^#/, '') !== this.fragment) await this.#open(fragment);
  }

  async #open(fragment: string): Promise<void> {
    const { catalog } = this.#lab.run;
    if (!catalog) return;
    this.#opening += 1;
    try {
      await this.#lab.openLink(await readLink(fragment, catalog));
    } finally {
      this.#opening -= 1;
    }
    this.#plan();
  }
}
