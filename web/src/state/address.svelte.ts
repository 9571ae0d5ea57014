/**
 * Keeps the address bar and the page in step: writes the link of the page a few times a second, and opens the links
 * that the user follows.
 */
import { fragment as fragmentNow, pushFragment, replaceFragment } from '../browser/address-bar';
import { onLeaving } from '../browser/leaving';
import { type Form, type Link, type Page, readLink, writeLink } from '../link/link';
import type { LinkView } from '../link/view';
import { type LessonPlace, readLesson } from '../link/lesson-place';
import { type Place, readPlace } from '../link/place';
import type { Route } from '../link/route';
import { sameJson } from '../lib/json';
import { type Shown, viewOf } from './shown';
import type { Opened } from './opening/opened';
import type { Config } from './config.svelte';
import type { Look } from './look.svelte';
import type { Run } from './run.svelte';

/** Browsers block pages that change their address too often. */
const EVERY_MS = 400;
/**
 * Longer while only time runs: nobody copies the link then, and after a reload a position a few seconds old is good
 * enough. A change is not a matter of seconds: a page that is loaded again would be without it.
 */
const PLAYING_MS = 4000;

/** What the address says, and what has to follow it. */
interface AddressedPage extends Shown {
  readonly run: Run;
  readonly config: Config | null;
  readonly look: Look;
  readonly opened: Opened | null;
  /** Whether time runs: then the address follows less often. */
  readonly playback: Shown['playback'] & { readonly isPlaying: boolean };
  readonly kept: {
    readonly id: string;
    readonly tabId: string | null;
    keep(isForced?: boolean): Promise<void>;
  };
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
  /** Changes that the core has not answered yet. */
  readonly editing: { readonly asked: readonly unknown[] };
  openLink(link: Link): Promise<void>;
}

/** Keeps the link of the present moment. */
export class Address {
  readonly #page: AddressedPage;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = -Infinity;
  #due = Infinity;
  /** The scenario that the address was last made from. */
  #scenario: unknown = null;
  /** Number of links that are being opened. While there are any, the page does not yet show what the address bar says. */
  #opening = 0;
  /** Number of the newest link that was followed. */
  #newest = 0;
  /** The newest link that was followed before the core was loaded; null if none was. */
  early: string | null = null;
  /** The newest link of the laboratory; empty before the first one is written. */
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
    onLeaving(() => {
      this.#leave();
    });
  }

  /** The page may be discarded before the core answers: a tab that is loaded again asks anew. */
  #leave(): void {
    const { editing, kept, lessons } = this.#page;
    const work = kept.tabId;
    if (editing.asked.length === 0 || work === null || !this.#isFollowed || lessons.open) return;
    try {
      // As plain data: a part of the page's state cannot be cloned.
      const plain = JSON.parse(JSON.stringify(editing.asked)) as unknown;
      replaceFragment(fragmentNow(), { work, asked: plain });
    } catch {
      // The frame is sandboxed, or the address changed too often.
    }
  }

  #plan(): void {
    const { config, playback } = this.#page;
    if (!config || !this.#isFollowed) return;
    const isOnlyTime = playback.isPlaying && config.scenario === this.#scenario;
    const due = this.#at + (isOnlyTime ? PLAYING_MS : EVERY_MS);
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

  /** The same for the page outside its frame: without the options of an embedded page. */
  get wholePage(): Page | null {
    return this.#pageWith({});
  }

  #pageWith(look: LinkView): Page | null {
    const { config, run, opened } = this.#page;
    if (!config) return null;
    const { scenario, baseId } = config;
    const { nowNs: t, position } = run;
    const shown = viewOf(this.#page);
    const isAsOpened = !position && opened?.atNs === t && sameJson(shown, opened.view);
    const isOpening = isAsOpened && sameJson(look, {});
    const view = { ...shown, ...look };
    const digests = run.lanes.map((l) => l.digest);
    return { scenario, baseId, t, position, digests, view, isOpening };
  }

  /** A fragment for a page that may differ from the present one. */
  async fragmentOf(page: Page, form: Form = {}): Promise<string> {
    const { catalog } = this.#page.run;
    const { kept } = this.#page;
    if (!catalog) return '';
    const fragment = await writeLink(page, catalog, { kept: kept.id, ...form });
    // A link to kept work opens nothing before that work is stored.
    if (/(^|&)kept=/.test(fragment)) await kept.keep(true);
    return fragment;
  }

  /** Puts the present moment into the address bar now. */
  async update(): Promise<void> {
    clearTimeout(this.#timer);
    this.#at = performance.now();
    const page = this.#isFollowed ? this.page : null;
    const { lessons } = this.#page;
    if (page) this.#scenario = page.scenario;
    try {
      const packed = page && !lessons.open ? await this.fragmentOf(page) : null;
      // During a lesson the address names the learner's step, whatever happens to the run. A lesson may have begun
      // while the link was packed.
      const fragment = page && (lessons.open?.fragment ?? packed);
      // Something else may have been opened meanwhile.
      if (fragment !== null && this.#isFollowed) {
        this.fragment = fragment;
        const work = this.#page.kept.tabId;
        replaceFragment(fragment, work === null ? null : { work });
      }
    } catch {
      // The frame is sandboxed, the address changed too often, or the link cannot be written. The next attempt may
      // succeed.
    }
    this.#timer = undefined;
    // The run may have gone on while the link was packed.
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

  /** Goes to a link of this page and adds it to the browser's history. A link that is open already is opened again. */
  async go(fragment: string): Promise<void> {
    if (fragmentNow() !== fragment) pushFragment(fragment);
    if (readPlace(fragment) === null) this.fragment = '';
    await this.followHash(fragment);
  }

  /** Opens what the address bar says after the user followed a link, typed an address or went back. */
  async followHash(fragment: string): Promise<void> {
    this.#newest += 1;
    const { places, config, lessons, run } = this.#page;
    // Nothing can be opened before the core is loaded: the link waits for it.
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
      // The reader's own sweep needs its scenario in the laboratory.
      if (places.route && !config) await this.#open(places.route.sweep.on);
      return;
    }
    // While something opens, the page does not show the link that was written last.
    if (this.#opening > 0 || fragment.replace(/^#/, '') !== this.fragment)
      await this.#open(fragment);
  }

  async #open(fragment: string): Promise<void> {
    const { catalog } = this.#page.run;
    if (!catalog) return;
    const followed = this.#newest;
    this.#opening += 1;
    try {
      const link = await readLink(fragment, catalog);
      // Reading a packed link takes a while: a newer one may have been followed.
      if (followed === this.#newest) await this.#page.openLink(link);
    } finally {
      this.#opening -= 1;
    }
    this.#plan();
  }
}
