/**
 * The results of the learner's run, step by step, computed in a worker beside the page. When the run changes, all
 * results are dropped at once and computed again, so that no text is out of date.
 */
import { SvelteMap } from 'svelte/reactivity';
import { messageOf } from '../../lib/assert';
import { firstProblem } from '../../lib/core-message';
import { Superseded } from '../../sim/client';
import type { LessonClient } from '../../sim/lesson/client';
import type { LessonAnswer, LessonOf } from '../../sim/lesson/protocol';
import type { StepView } from '../../sim/types/StepView';

/** While a slider is dragged, nothing is computed until it rests for this long. */
const CALM_MS = 250;

/** The view of a step, and the answer that it was computed with. */
interface EvaluatedStep {
  readonly answer: LessonAnswer | null;
  readonly view: StepView;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** See the module comment. */
export class Evaluation {
  readonly #client: LessonClient;
  readonly #evaluated = new SvelteMap<number, EvaluatedStep>();
  /** Steps whose view is awaited, with their answers. */
  readonly #wanted = new Map<number, LessonAnswer | null>();
  #ahead: readonly number[] = [];
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of answers that are awaited. */
  #waiting = $state(0);
  /** Whether a change of the run has not settled yet. */
  #isUnsettled = $state(false);
  /** Why the lesson could not be evaluated; empty while it can. */
  problem = $state('');
  /** Rises with each run that is evaluated. */
  run = $state(0);

  constructor(client: LessonClient) {
    this.#client = client;
  }

  /** Whether an awaited view is being computed. */
  get isWaiting(): boolean {
    return this.#waiting > 0 || this.#isUnsettled;
  }

  /** What a step shows; null until it is computed. */
  view(number: number, answer: LessonAnswer | null): StepView | null {
    const found = this.#evaluated.get(number);
    return found && same(found.answer, answer) ? found.view : null;
  }

  /** The words of a step, whatever the answer; empty until they are computed. */
  words(number: number): string {
    return this.#evaluated.get(number)?.view.text ?? '';
  }

  /** Begins another run: drops the results of the one before. */
  begin(of: LessonOf, isAtOnce = false): void {
    this.#generation += 1;
    clearTimeout(this.#timer);
    this.#client.cancel();
    this.#evaluated.clear();
    this.problem = '';
    this.#isUnsettled = !isAtOnce;
    if (isAtOnce) this.#start(of);
    else
      this.#timer = setTimeout(() => {
        this.#isUnsettled = false;
        this.#start(of);
      }, CALM_MS);
  }

  #start(of: LessonOf): void {
    this.run += 1;
    const generation = this.#generation;
    this.#client.call('begin', of).catch((error: unknown) => {
      this.#fail(error, generation);
    });
    for (const [number, answer] of this.#wanted) void this.want(number, answer);
    this.ahead(this.#ahead);
  }

  /** Computes what a step shows; null if another run replaced this one, or if the computation failed. */
  async want(number: number, answer: LessonAnswer | null = null): Promise<StepView | null> {
    this.#wanted.set(number, answer);
    const known = this.view(number, answer);
    if (known || this.#isUnsettled) return known;
    this.#waiting += 1;
    try {
      return await this.#ask(number, answer, true);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Computes steps before the learner reaches them. */
  ahead(numbers: readonly number[]): void {
    this.#ahead = numbers;
    if (this.#isUnsettled) return;
    for (const number of numbers)
      if (!this.#evaluated.has(number)) void this.#ask(number, null, false);
  }

  /** No step is awaited any more. */
  forget(): void {
    this.#wanted.clear();
  }

  /** Ends all work. */
  close(): void {
    this.#generation += 1;
    clearTimeout(this.#timer);
    this.#isUnsettled = false;
    this.#client.cancel();
  }

  async #ask(
    number: number,
    answer: LessonAnswer | null,
    isUrgent: boolean,
  ): Promise<StepView | null> {
    const generation = this.#generation;
    try {
      const view = await this.#client.call('step', { number, answer }, isUrgent);
      if (generation !== this.#generation) return null;
      // A view computed in advance does not replace one that was awaited.
      if (isUrgent || !this.#evaluated.has(number)) this.#evaluated.set(number, { answer, view });
      return view;
    } catch (error) {
      this.#fail(error, generation);
      return null;
    }
  }

  #fail(error: unknown, generation: number): void {
    if (error instanceof Superseded || generation !== this.#generation) return;
    this.problem = firstProblem(messageOf(error));
  }
}
