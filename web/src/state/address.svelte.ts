/** The address bar: follows the page a few times a second, and the page follows it. */
import { type Form, type Page, readLink, writeLink } from '../link/link';
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
  #fragment = '';

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
        void this.#lab.gallery.route;
        this.#plan();
      });
    });
  }

  #plan(): void {
    if (!this.#lab.config || this.#lab.gallery.route) return;
    const due = this.#at + (this.#lab.playback.isPlaying ? PLAYING_MS : EVERY_MS);
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => void this.update(), Math.max(0, due - performance.now()));
  }

  /** What a link to the present moment is made of. */
  get page(): Page | null {
    const { config, run, selection, playback, look } = this.#lab;
    if (!config) return null;
    const view: LinkView = { ...look.view };
    if (selection.lane > 0) view.lane = selection.lane;
    if (selection.thread !== null) view.thread = selection.thread;
    if (playback.speed !== DEFAULT_SPEED) view.speed = Math.round(playback.speed);
    const { scenario, baseId } = config;
    const { nowNs: t, position } = run;
    return { scenario, baseId, t, position, digests: run.lanes.map((l) => l.digest), view };
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
    const page = this.#lab.gallery.route ? null : this.page;
    try {
      if (page) this.#fragment = await this.fragmentOf(page);
      // Packing took a moment, in which another page may have been opened.
      if (page && !this.#lab.gallery.route)
        history.replaceState({ work: this.#lab.kept.id }, '', `#${this.#fragment}`);
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

  /** Opens another link that was typed or chosen while the page is open. */
  async followHash(fragment: string): Promise<void> {
    const { catalog } = this.#lab.run;
    const wasElsewhere = this.#lab.gallery.route !== null;
    if (this.#lab.gallery.take(fragment)) return;
    if (wasElsewhere && this.#fragment === '') this.#plan();
    if (!catalog || fragment.replace(/^#/, '') === this.#fragment) return;
    await this.#lab.openLink(await readLink(fragment, catalog));
  }
}
