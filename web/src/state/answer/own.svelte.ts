/**
 * A measure of the reader's own: an expression of the measure language and its values in the part of the run that is
 * over. A worker beside the page computes them, again and again while the run goes on.
 */
import { LESSON_LANGUAGE } from '../../lib/language';
import { messageOf } from '../../lib/assert';
import { coreMessage, firstProblem } from '../../lib/core-message';
import { Superseded } from '../../sim/client';
import { LessonClient, type LessonWorker } from '../../sim/lesson/client';
import type { OwnMeasure } from '../../sim/types/OwnMeasure';
import type { OwnMistake } from '../../sim/types/OwnMistake';
import type { OwnValue } from '../../sim/types/OwnValue';
import type { Config } from '../config.svelte';
import type { Run } from '../run.svelte';

/** While somebody types, nothing is computed until the text rests for this long. */
const TYPING_MS = 200;
/** Shortest time between two computations while the run goes on. */
const SHORTEST_MS = 500;
/** Computing takes at most this part of the time. */
const PART = 4;

/** What it needs of the page. */
interface Page {
  readonly config: Config | null;
  readonly run: Pick<Run, 'calmNs' | 'status'>;
  /** Shows sentences about what was opened. */
  warn?(sentences: readonly string[]): void;
}

/** The values of a text at a time. */
interface Found extends OwnMeasure {
  readonly text: string;
  readonly atNs: number;
  readonly scenario: unknown;
}

/** See the module comment. */
export class OwnState {
  /** The expression as it is typed; empty: there is none. */
  text = $state('');
  /** The newest values, perhaps of an earlier text; null before the first. */
  found = $state.raw<Found | null>(null);
  /** Why nothing could be computed; empty while it can. */
  problem = $state('');
  /** Number of views that show it beside the answer. */
  views = $state(0);
  /** Whether the newest wish is not computed yet. */
  isWaiting = $state(false);
  readonly #page: Page;
  readonly #client: LessonClient | null;
  readonly #isAnswer: () => boolean;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #againAt = 0;
  #generation = 0;
  /** Whether the text came with a link, and was not read yet. */
  #isOpened = false;

  constructor(page: Page, spawn: (() => LessonWorker) | undefined, isAnswer: () => boolean) {
    this.#page = page;
    this.#client = spawn ? new LessonClient(spawn) : null;
    this.#isAnswer = isAnswer;
  }

  /** What is wrong with the text; null while nothing is known to be. */
  get mistake(): OwnMistake | null {
    const mistake = this.#current?.mistake ?? null;
    return mistake && { ...mistake, message: coreMessage(mistake.message) };
  }

  /** The value in a lane; null while it is not known. One that is not about lanes is that of each. */
  valueOf(lane: number): OwnValue | null {
    const found = this.#current;
    return found?.values[found.byLane ? lane : 0] ?? null;
  }

  /** Whether there is a value for each lane; of what is wrong nobody knows. */
  get isByLane(): boolean {
    const found = this.#current;
    return !found || found.mistake !== null || found.byLane;
  }

  /** The time of the values, in ns; null without values. */
  get atNs(): number | null {
    return this.#current?.atNs ?? null;
  }

  /** What is known of the present text and run. */
  get #current(): Found | null {
    const { found, text } = this;
    return found?.text === text.trim() ? found : null;
  }

  /** Takes an expression from a link or from kept work; what is wrong with it is said once. */
  open(text: string): void {
    this.text = text;
    this.#isOpened = text !== '';
  }

  /** Keeps the values up to date from now on. */
  follow(): () => void {
    return $effect.root(() => {
      $effect(() => {
        const { config, run } = this.#page;
        const { calmNs, status } = run;
        const text = this.text.trim();
        const isShown = this.views > 0 || this.#isAnswer() || this.#isOpened;
        if (text === '' || !config || status !== 'ready' || !isShown) {
          this.#stop();
          return;
        }
        this.#wish(text, config.scenario, calmNs);
      });
    });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#isAsking) this.#client?.cancel();
    this.#generation += 1;
    this.isWaiting = false;
  }

  #last: Pick<Found, 'text' | 'scenario' | 'atNs'> | null = null;

  #wish(text: string, scenario: Config['scenario'], atNs: number): void {
    const last = this.#last;
    if (last?.text === text && last.scenario === scenario && last.atNs === atNs) return;
    const isOther = last?.text !== text || last.scenario !== scenario;
    this.#last = { text, scenario, atNs };
    this.isWaiting = true;
    clearTimeout(this.#timer);
    const now = performance.now();
    if (isOther) {
      // What is being computed is of no use any more.
      if (this.#isAsking) this.#client?.cancel();
      this.#generation += 1;
      this.#againAt = now + TYPING_MS;
    }
    if (this.#isAsking && !isOther) return;
    this.#timer = setTimeout(() => void this.#ask(), Math.max(0, this.#againAt - now));
  }

  async #ask(): Promise<void> {
    const wish = this.#last;
    const client = this.#client;
    const { config } = this.#page;
    if (!wish || !client || !config) return;
    const generation = this.#generation;
    const begun = performance.now();
    this.#isAsking = true;
    try {
      const { text, atNs: untilNs } = wish;
      const scenario = config.scenario;
      const language = LESSON_LANGUAGE;
      const answer = await client.call('measure', { scenario, text, untilNs, language });
      if (generation !== this.#generation) return;
      this.found = { ...answer, text, atNs: untilNs, scenario };
      this.problem = '';
      if (answer.mistake) this.#complain(text, answer.mistake);
      this.#isOpened = false;
    } catch (error) {
      if (error instanceof Superseded || generation !== this.#generation) return;
      this.problem = firstProblem(messageOf(error));
    } finally {
      if (generation === this.#generation) {
        this.#isAsking = false;
        const now = performance.now();
        this.#againAt = now + Math.max(SHORTEST_MS, PART * (now - begun));
        if (this.#last === wish) this.isWaiting = false;
        else this.#timer = setTimeout(() => void this.#ask(), this.#againAt - now);
      }
    }
  }

  #complain(text: string, { column, message }: OwnMistake): void {
    if (!this.#isOpened) return;
    // @wc-include
    const said = `In the link, measure “${text}” is wrong in column ${String(column)}: ${coreMessage(message)}. It is kept, so that you can mend it.`;
    this.#page.warn?.([said]);
  }
}
