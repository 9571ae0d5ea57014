/**
 * The page's side of the worker: promises, epochs, a watchdog, and replacement after a fault.
 *
 * The client never restores anything by itself: it reports a fault once and offers `respawn`; `state/run.svelte.ts`
 * knows what to restore.
 */
import { messageOf } from '../lib/assert';
import type { CallName, Calls, Reply, Request } from './protocol';

/** Silence that means an endless loop; a worker sends `alive` during long work. */
export const SILENCE_MS = 5_000;

/** Calls of the core that cannot be split, and how long they may take on a slow computer. */
const PATIENCE_MS: Partial<Record<CallName, number>> = {
  load: 120_000,
  shippedDigests: 120_000,
  export: 120_000,
  // The core runs long parts of a run in one call: with thousands of threads these are many events.
  explain: 120_000,
  past: 120_000,
  samples: 120_000,
  limitsPast: 120_000,
  // Up to two keyframes.
  configure: 30_000,
  step: 30_000,
};

/**
 * Silence is counted in this many parts, each with its own timer: sleep of the computer, however long, is only one of
 * them.
 */
const PARTS = 5;

/** The part of a Worker that the client uses, so that tests can replace it. */
export interface WorkerLike {
  postMessage(message: Request): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Why the worker was lost. */
export interface Fault {
  readonly kind: 'panic' | 'memory' | 'silence' | 'load';
  readonly message: string;
}

/** The answer is no longer wanted: another scenario or another worker has taken over. */
export class Superseded extends Error {
  constructor() {
    super('superseded');
    this.name = 'Superseded';
  }
}

interface Waiting {
  readonly epoch: number;
  /** Silence that is allowed meanwhile. */
  readonly silenceMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Promise API over one worker. */
export class SimClient {
  readonly #spawn: () => WorkerLike;
  readonly #onFault: (fault: Fault) => void;
  readonly #silenceMs: number;
  #worker: WorkerLike | null = null;
  #epoch = 0;
  #nextId = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Silence that the timer counts, time of the last message in either direction, and parts of silence since. */
  #timedMs = 0;
  #heardMs = 0;
  #part = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** Receives how far lanes have come that are on their way to another time. */
  onReached: ((ns: number) => void) | null = null;

  constructor(spawn: () => WorkerLike, onFault: (fault: Fault) => void, silenceMs = SILENCE_MS) {
    this.#spawn = spawn;
    this.#onFault = onFault;
    this.#silenceMs = silenceMs;
  }

  /** Requests without an answer yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Starts a worker in place of the present one. */
  respawn(): void {
    this.#drop();
    let worker: WorkerLike;
    try {
      worker = this.#spawn();
    } catch (error) {
      // The browser refuses, for example in a frame without an origin.
      this.#fail({ kind: 'load', message: messageOf(error) });
      return;
    }
    worker.onmessage = (event) => {
      if (worker === this.#worker) this.#receive(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker)
        this.#fail({ kind: 'load', message: event.message || 'the worker did not load' });
    };
    this.#worker = worker;
  }

  /** Answers to earlier requests are no longer wanted. */
  newEpoch(): void {
    this.#epoch += 1;
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      waiting.reject(new Superseded());
    }
    this.#rest();
  }

  /** Sends a request. Rejects with `Superseded`, or with the message of the core. */
  call<K extends CallName>(kind: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(new Superseded());
    const id = this.#nextId++;
    const epoch = this.#epoch;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        epoch,
        silenceMs: Math.max(PATIENCE_MS[kind] ?? 0, this.#silenceMs),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      worker.postMessage({ kind, id, epoch, args } as Request);
      this.#watch();
    });
  }

  /** Ends the worker for good. */
  dispose(): void {
    this.#drop();
  }

  #receive(reply: Reply): void {
    this.#watch();
    switch (reply.kind) {
      case 'alive':
        if (typeof reply.reachedNs === 'number') this.onReached?.(reply.reachedNs);
        return;
      case 'fault':
        this.#fail({ kind: reply.cause, message: reply.message });
        return;
      case 'result':
      case 'refused': {
        const waiting = this.#waiting.get(reply.id);
        if (waiting?.epoch !== reply.epoch) return;
        this.#waiting.delete(reply.id);
        if (reply.kind === 'result') waiting.resolve(reply.value);
        else waiting.reject(new Error(reply.message));
        this.#watch();
      }
    }
  }

  /** Silence starts again. The running timer stays: a new one for each message would cost more than the message. */
  #watch(): void {
    this.#heardMs = performance.now();
    this.#part = 0;
    let ms = 0;
    for (const { silenceMs } of this.#waiting.values()) ms = Math.max(ms, silenceMs);
    if (ms === 0 || (this.#timer !== undefined && ms === this.#timedMs)) return;
    this.#timedMs = ms;
    this.#after(ms / PARTS);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#count();
    }, ms);
  }

  /** A part of the silence has passed. If there was a message meanwhile, the part is extended accordingly. */
  #count(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const ms = this.#timedMs;
    const left = this.#heardMs + ms / PARTS - performance.now();
    if (this.#part === 0 && left > 0) {
      this.#after(left);
      return;
    }
    this.#part += 1;
    if (this.#part < PARTS) this.#after(ms / PARTS);
    else this.#fail({ kind: 'silence', message: `no answer for ${String(ms / 1000)} s` });
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fail(fault: Fault): void {
    this.#drop();
    this.#onFault(fault);
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.newEpoch();
  }
}
