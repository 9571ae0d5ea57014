/** The address bar: follows the page a few times a second, and the page follows it. */
import { fragment as fragmentNow, pushFragment, replaceFragment } from '../browser/address-bar';
import { type Form, type Link, type Page, readLink, writeLink } from '../link/link';
import type { LinkView } from '../link/view';
import { type LessonPlace, readLesson } from '../link/lesson-place';
import { type Place, readPlace } from '../link/place';
import type { Route } from '../link/route';
import { sameJson } from '../lib/json';
import { type Shown, viewOf } from './shown';
import type { Opened } from './opened';
import type { Config } from './config.svelte';
import type { Look } from './look.svelte';
import type { Run } from './run.svelte';

/** Browsers refuse pages that change their address too often. */
const EVERY_MS = 400;
/** While time runs nobody copies the link, and a reload comes back to where it was not long ago. */
const PLAYING_MS = 4000;

/** What the address says, and what has to follow it. */
interface AddressedPage extends Shown {
  readonly run: Run;
  readonly config: Config | null;
  readonly look: Look;
  readonly opened: Opened | null;
  /** Whether time runs: then the address follows less often. */
  readonly playback: Shown['playback'] & { readonly isPlaying: boolean };
  readonly kept: { readonly id: string; keep(isForced?: boolean): Promise<void> };
  readonly places: {
    readonly at: Place | null;
    readonly route: Route | null;
    take(fragment: string): boolean;
  };
  readonly lessons: {
    readonly open: { readonly fragment: string } | null;
    show(place: LessonPlace): Promise<void>;
    close(): void;
  };
  openLink(link: Link): Promise<void>;
}

/** Keeps the link of the present moment. */
export class Address {
  readonly #page: AddressedPage;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = -Infinity;
  #due = Infinity;
  /** Links that are being opened: meanwhile the page shows something else than the address bar says. */
  #opening = 0;
  /** The link that was followed last before there was a core to open it; null if none was. */
  early: string | null = null;
  /** The link of the laboratory as it was last written; empty before. */
  fragment = $state('');

  constructor(page: AddressedPage) {
    this.#page = page;
  }

  /** Whether the address bar is about to change. */
  get isDue(): boolean {
    return this.#timer !== undefined;
  }

  /** Keeps the address bar at the present moment from now on. */
  follow(): void {
    $effect.root(() => {
      $effect(() => {
        const { config, kept, run, playback, look } = this.#page;
        void [
          kept.id,
          config?.scenario,
          config?.baseId,
          run.calmNs,
          run.position,
          run.lanes.map((l) => l.digest),
        ];
        void [playback.isPlaying, look.view, viewOf(this.#page)];
        void [this.#page.places.at, this.#page.lessons.open?.fragment];
        this.#plan();
      });
    });
  }

  #plan(): void {
    if (!this.#page.config || !this.#isFollowed) return;
    const due = this.#at + (this.#page.playback.isPlaying ? PLAYING_MS : EVERY_MS);
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => void this.update(), Math.max(0, due - performance.now()));
  }

  /** Whether the address bar is to say what the laboratory shows. */
  get #isFollowed(): boolean {
    return this.#page.places.at === null && this.#opening === 0;
  }

  /** What a link to the present moment is made of. */
  get page(): Page | null {
    return this.#pageWith(this.#page.look.view);
  }

  /** The same for a page of its own, whatever frame this one is in. */
  get wholePage(): Page | null {
    return this.#pageWith({});
  }

  #pageWith(look: LinkView): Page | null {
    const { config, run, opened } = this.#page;
    if (!config) return null;
    const { scenario, baseId } = config;
    const { nowNs: t, position } = run;
    const shown = viewOf(this.#page);
    const isOpening = !position && opened?.atNs === t && sameJson(shown, opened.view);
    // What a scenario shows by itself has not to be said.
    const view = { ...(isOpening ? {} : shown), ...look };
    const digests = run.lanes.map((l) => l.digest);
    return { scenario, baseId, t, position, digests, view, isOpening };
  }

  /** A fragment for a page that may differ from the present one. */
  async fragmentOf(page: Page, form: Form = {}): Promise<string> {
    const { catalog } = this.#page.run;
    const { kept } = this.#page;
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
    const { lessons } = this.#page;
    try {
      const packed = page && !lessons.open ? await this.fragmentOf(page) : null;
      // A lesson is where the learner is, whatever became of its run. Packing took a moment, in which one may have begun.
      const fragment = page && (lessons.open?.fragment ?? packed);
      // Something else may have been opened meanwhile.
      if (fragment !== null && this.#isFollowed) {
        this.fragment = fragment;
        replaceFragment(fragment, { work: this.#page.kept.id });
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
      (now.t !== page.t ||
        now.position !== page.position ||
        now.scenario !== page.scenario ||
        !sameJson(now.view, page.view))
    )
      this.#plan();
  }

  /** Goes to a link of this page as an entry of its own in the history. What is open already opens anew. */
  async go(fragment: string): Promise<void> {
    if (fragmentNow() !== fragment) pushFragment(fragment);
    if (readPlace(fragment) === null) this.fragment = '';
    await this.followHash(fragment);
  }

  /** Goes where the address bar says, after a link, a typed address, or a way back. */
  async followHash(fragment: string): Promise<void> {
    const { places, config, lessons, run } = this.#page;
    // Without the core there is nothing to open yet: that waits for it.
    if (!run.catalog) {
      this.early = fragment;
      places.take(fragment);
      return;
    }
    const lesson = readLesson(fragment);
    if (lesson) {
      places.take(fragment);
      this.fragment = fragment.replace(/^#/, '');
      this.#opening += 1;
      try {
        await lessons.show(lesson);
      } finally {
        this.#opening -= 1;
      }
      this.#plan();
      return;
    }
    if (places.take(fragment)) {
      // A sweep of one's own is about the scenario in the laboratory.
      if (places.route && !config) await this.#open(places.route.sweep.on);
      return;
    }
    if (fragment.replace(/^#/, '') !== this.fragment) await this.#open(fragment);
  }

  async #open(fragment: string): Promise<void> {
    const { catalog } = this.#page.run;
    if (!catalog) return;
    this.#opening += 1;
    try {
      await this.#page.openLink(await readLink(fragment, catalog));
    } finally {
      this.#opening -= 1;
    }
    this.#plan();
  }
}
