/**
 * The page's side of the worker: promises, epochs, a watchdog, and replacement after a fault.
 *
 * The client never restores anything by itself: it reports a fault once and offers `respawn`; what
 * to restore is known to `state/run.svelte.ts`.
 */
import type { CallName, Calls, Reply, Request } from './protocol';

/** Silence that means an endless loop; long work says `alive` in between. */
export const SILENCE_MS = 5_000;

const SLOW_SILENCE_MS = 120_000;

/** Requests that may run through a long part of a run, or load much, without a word in between. */
const SLOW: ReadonlySet<CallName> = new Set([
  'load',
  'shippedDigests',
  'export',
  'explain',
  'past',
  'samples',
]);

/** The part of a Worker that is used, so that tests can stand in for it. */
export interface WorkerLike {
  postMessage(message: Request): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Why the worker was lost. */
export interface Fault {
  readonly kind: 'trap' | 'silence' | 'load';
  readonly message: string;
}

/** The answer is no longer wanted: another scenario or another worker took over. */
export class Superseded extends Error {
  constructor() {
    super('superseded');
    this.name = 'Superseded';
  }
}

interface Waiting {
  readonly epoch: number;
  /** Loading and whole runs may be silent for long. */
  readonly isSlow: boolean;
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
  readonly #waiting = new Map<number, Waiting>();

  constructor(spawn: () => WorkerLike, onFault: (fault: Fault) => void, silenceMs = SILENCE_MS) {
    this.#spawn = spawn;
    this.#onFault = onFault;
    this.#silenceMs = silenceMs;
  }

  /** Requests without an answer yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Starts a worker, throwing away the one there was. */
  respawn(): void {
    this.#drop();
    const worker = this.#spawn();
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

  /** Answers to anything asked before are no longer wanted. */
  newEpoch(): void {
    this.#epoch += 1;
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      waiting.reject(new Superseded());
    }
    clearTimeout(this.#timer);
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
        isSlow: SLOW.has(kind),
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
        return;
      case 'fault':
        this.#fail({ kind: reply.during === 'load' ? 'load' : 'trap', message: reply.message });
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

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const isSlow = [...this.#waiting.values()].some((w) => w.isSlow);
    const ms = isSlow ? Math.max(SLOW_SILENCE_MS, this.#silenceMs) : this.#silenceMs;
    this.#timer = setTimeout(() => {
      this.#fail({ kind: 'silence', message: `no answer for ${String(ms / 1000)} s` });
    }, ms);
  }

  #fail(fault: Fault): void {
    this.#drop();
    this.#onFault(fault);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.newEpoch();
  }
}
