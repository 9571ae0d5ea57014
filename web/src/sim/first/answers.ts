/**
 * Stands before a worker whose core is still being loaded, and answers from recordings what a first visit asks: the catalog,
 * and a shipped scenario where it opens. Every request goes to the worker as well. Its answer to the same request is the
 * same, and comes when nobody waits for it any more.
 */
import type { WorkerLike } from '../client';
import type { Calls, CallName, Reply, Request } from '../protocol';
import type { Catalog } from '../types/Catalog';
import type { Recordings } from './recording';

/** A core that is on its way does not say so itself. It is said for it, for as long as loading may take. */
const ALIVE_EVERY_MS = 1_000;
const MOST_ALIVE = 120;

/** See the module comment. */
export class FirstAnswers implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #worker: WorkerLike;
  readonly #recordings: Recordings;
  /** Runs until the core is there. */
  #timer: ReturnType<typeof setInterval> | undefined;
  #said = 0;
  /** The request that the worker answers first, when its core is there. */
  #load = Number.NaN;

  constructor(worker: WorkerLike, recordings: Recordings) {
    this.#worker = worker;
    this.#recordings = recordings;
    worker.onmessage = (event) => {
      const { data } = event;
      if (data.kind === 'fault' || ('id' in data && data.id === this.#load)) this.#stop();
      this.onmessage?.(event);
    };
    worker.onerror = (event) => {
      this.#stop();
      this.onerror?.(event);
    };
    this.#timer = setInterval(() => {
      this.#said += 1;
      if (this.#said > MOST_ALIVE) this.#stop();
      else this.#say({ kind: 'alive', reachedNs: null });
    }, ALIVE_EVERY_MS);
  }

  postMessage(request: Request): void {
    if (request.kind === 'load') this.#load = request.id;
    this.#worker.postMessage(request);
    if (this.#isWaiting) void this.#answer(request);
  }

  terminate(): void {
    this.#stop();
    this.onmessage = null;
    this.#worker.terminate();
  }

  get #isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #say(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }

  async #answer(request: Request): Promise<void> {
    const value = await this.#recorded(request);
    const { id, epoch } = request;
    if (value !== null && this.#isWaiting) this.#say({ kind: 'result', id, epoch, value });
  }

  async #recorded(request: Request): Promise<Calls[CallName]['result'] | null> {
    if (request.kind === 'load') return this.#recordings.catalog();
    if (request.kind !== 'configure' || request.args.at !== 'opening') return null;
    const catalog = await this.#recordings.catalog();
    const id = catalog && shippedAs(catalog, request.args.scenario);
    return id === null ? null : this.#recordings.opened(id);
  }
}

/** Which shipped scenario this is, unchanged; null: none. */
function shippedAs({ scenarios }: Catalog, scenario: unknown): string | null {
  const text = JSON.stringify(scenario);
  return scenarios.find((one) => JSON.stringify(one.scenario) === text)?.id ?? null;
}
