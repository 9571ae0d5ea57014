/**
 * The messages between an embedded page and the page around it, on a port that only these two have:
 * docs/embedding.md. The other page may belong to anyone. So it can ask only for what a link or a file could bring,
 * and it learns only what this frame shows, never what the browser keeps.
 */
import { messageOf } from '../../lib/assert';
import { readLesson } from '../../link/lesson-place';
import { readLink } from '../../link/link';
import { readPlace } from '../../link/place';
import type { Scenario } from '../../sim/types/Scenario';
import type { Lab } from '../lab.svelte';
import { type Message, MOST_STEPS, queued, readMessage, type Wrong } from './messages';

/** The other page gets at most four messages a second. */
const EVERY_MS = 250;
/** Fewer while time runs and nothing else changes. */
const PLAYING_MS = 1000;
/** Most problems in one message. */
const MOST_WRONG = 20;

/** What the other page learns about this one. */
interface ReportedState {
  /** Number of the other page's newest scenario or link that was opened or refused; null if it gave no number. */
  readonly id: number | null;
  /** Link to the present moment; empty where the scenario is too large for one. */
  readonly fragment: string;
  readonly scenario: Scenario;
  /** Digest of each lane at this moment; empty while time runs. */
  readonly digests: readonly string[];
}

/** See the module comment. */
export class EmbedPort {
  readonly #lab: Lab;
  readonly #port: MessagePort;
  #waiting: readonly Message[] = [];
  #isAtWork = false;
  #id: number | null = null;
  #sent: ReportedState | null = null;
  #wrong: { readonly id: number | null; readonly problems: readonly Wrong[] } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #isTelling = false;
  #at = -Infinity;

  constructor(lab: Lab, port: MessagePort) {
    this.#lab = lab;
    this.#port = port;
    port.onmessage = ({ data }) => {
      this.#hear(data);
    };
    $effect.root(() => {
      $effect(() => {
        const { config, run, playback, places, lessons } = lab;
        void [run.calmNs, lab.address.wholePage, places.at, lessons.open];
        const isNew = config?.scenario !== this.#sent?.scenario;
        this.#plan(playback.isPlaying && !isNew ? PLAYING_MS : EVERY_MS);
      });
    });
  }

  #hear(data: unknown): void {
    const message = readMessage(data);
    if (!('kind' in message)) {
      this.#refuse(null, [message]);
      return;
    }
    const waiting = queued(this.#waiting, message);
    if (waiting) this.#waiting = waiting;
    else
      this.#refuse(message.id, [
        { path: 'kind', message: `at most ${String(MOST_STEPS)} steps may wait` },
      ]);
    if (!this.#isAtWork) void this.#work();
  }

  /** Carries out one message after the other; a message that a newer one replaces is never begun. */
  async #work(): Promise<void> {
    this.#isAtWork = true;
    for (;;) {
      const [next, ...rest] = this.#waiting;
      if (!next) break;
      this.#waiting = rest;
      try {
        await this.#obey(next);
      } catch (error) {
        this.#refuse(next.id, [{ path: 'kind', message: messageOf(error) }]);
      }
      if (next.kind === 'open' || next.kind === 'scenario') {
        this.#id = next.id;
        this.#plan(EVERY_MS);
      }
    }
    this.#isAtWork = false;
  }

  async #obey(message: Message): Promise<void> {
    const { playback, selection, steps } = this.#lab;
    switch (message.kind) {
      case 'open':
        await this.#open(message);
        break;
      case 'scenario': {
        const problems = await this.#lab.work.take(message.json, 'The scenario');
        if (problems.length > 0) this.#refuse(message.id, problems);
        break;
      }
      case 'step':
        await playback.step(selection.lane, message.by, message.back, steps.about);
        break;
      case 'seek':
        await playback.seek(message.atNs);
        break;
      case 'play':
        playback.play();
        break;
      case 'pause':
        playback.pause();
        break;
    }
  }

  async #open({ fragment, id }: Message & { readonly kind: 'open' }): Promise<void> {
    const { look, places, run } = this.#lab;
    if (!run.catalog || readPlace(fragment) || readLesson(fragment)) {
      this.#refuse(id, [{ path: 'fragment', message: 'must be a link to the laboratory' }]);
      return;
    }
    const link = await readLink(fragment, run.catalog);
    // A link without options for the frame leaves the present ones.
    const view = link.view.embed ? link.view : { ...link.view, ...look.view, play: false };
    places.at = null;
    await this.#lab.openLink({ ...link, view });
  }

  #refuse(id: number | null, problems: readonly Wrong[]): void {
    const sent = problems.slice(0, MOST_WRONG).map(({ path, message }) => ({ path, message }));
    this.#wrong = { id, problems: sent };
    this.#plan(EVERY_MS);
  }

  #plan(pauseMs: number): void {
    const due = this.#at + pauseMs;
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => void this.#tell(), Math.max(0, due - performance.now()));
  }

  async #tell(): Promise<void> {
    this.#at = performance.now();
    this.#timer = undefined;
    if (this.#isTelling) {
      // Packing a link takes long.
      this.#plan(EVERY_MS);
      return;
    }
    const wrong = this.#wrong;
    this.#wrong = null;
    if (wrong) this.#port.postMessage({ kind: 'refused', ...wrong });
    this.#isTelling = true;
    try {
      const now = await this.#now();
      if (!now || (this.#sent && isSame(now, this.#sent))) return;
      this.#sent = now;
      this.#port.postMessage({ kind: 'changed', ...now });
    } finally {
      this.#isTelling = false;
    }
  }

  /** What this page shows; null where it shows no run of the other page: a lesson, or Start. */
  async #now(): Promise<ReportedState | null> {
    const { address, lessons, places } = this.#lab;
    // The other page decides how the frame looks, so the link leaves that out.
    const page = address.wholePage;
    if (!page || places.at || lessons.open) return null;
    const id = this.#id;
    const link = await address.fragmentOf(page);
    const digests = page.digests.filter((digest) => digest !== null);
    return {
      id,
      fragment: /(^|&)kept=/.test(link) ? '' : link,
      scenario: page.scenario,
      digests: digests.length === page.digests.length ? digests : [],
    };
  }
}

function isSame(a: ReportedState, b: ReportedState): boolean {
  return (
    a.id === b.id &&
    a.fragment === b.fragment &&
    a.scenario === b.scenario &&
    a.digests.join() === b.digests.join()
  );
}
