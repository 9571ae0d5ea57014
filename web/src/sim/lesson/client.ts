/**
 * The page's side of a lesson's worker. One request is in progress at a time; awaited requests go before those made
 * in advance. Cancelling ends the worker, as a run cannot be interrupted.
 */
import { Superseded } from '../client';
import type { LessonCall, LessonCalls, LessonReply, LessonRequest } from './protocol';

/** The part of a Worker that is used here, so that tests can replace it. */
export interface LessonWorker {
  postMessage(request: LessonRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<LessonReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  readonly request: LessonRequest;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** See the module comment. */
export class LessonClient {
  readonly #spawn: () => LessonWorker;
  #worker: LessonWorker | null = null;
  #queue: Waiting[] = [];
  #current: Waiting | null = null;
  #id = 0;

  constructor(spawn: () => LessonWorker) {
    this.#spawn = spawn;
  }

  /** Sends a request; an urgent one goes before all that wait. */
  call<K extends LessonCall>(
    kind: K,
    args: LessonCalls[K]['args'],
    isUrgent = false,
  ): Promise<LessonCalls[K]['result']> {
    return new Promise((resolve, reject) => {
      this.#id += 1;
      const request = { id: this.#id, kind, args } as LessonRequest;
      const waiting: Waiting = { request, resolve, reject };
      if (isUrgent) this.#queue.unshift(waiting);
      else this.#queue.push(waiting);
      this.#next();
    });
  }

  /** Ends all work; waiting requests reject with `Superseded`. */
  cancel(): void {
    const all = [...(this.#current ? [this.#current] : []), ...this.#queue];
    this.#queue = [];
    this.#end();
    for (const { reject } of all) reject(new Superseded());
  }

  #end(): void {
    if (this.#worker) this.#worker.onmessage = null;
    this.#worker?.terminate();
    this.#worker = null;
    this.#current = null;
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift() ?? null;
    if (!this.#current) return;
    this.#worker ??= this.#begin();
    this.#worker.postMessage(this.#current.request);
  }

  #begin(): LessonWorker {
    const worker = this.#spawn();
    worker.onmessage = ({ data }) => {
      this.#take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || 'the worker did not load');
    };
    return worker;
  }

  #take(reply: LessonReply): void {
    const current = this.#current;
    if (current?.request.id !== reply.id) return;
    if ('error' in reply && reply.isBroken) {
      this.#fail(reply.error);
      return;
    }
    this.#current = null;
    if ('error' in reply) current.reject(new Error(reply.error));
    else current.resolve(reply.value as never);
    this.#next();
  }

  /** The worker is gone, and with it the run that all waiting requests are about. */
  #fail(message: string): void {
    const all = [...(this.#current ? [this.#current] : []), ...this.#queue];
    this.#queue = [];
    this.#end();
    for (const { reject } of all) reject(new Error(message));
  }
}
