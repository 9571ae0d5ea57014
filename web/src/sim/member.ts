/** A worker of a group: handles the group's own requests, and hands on those of the page. */
import type { WorkerLike } from './client';
import type { CallName, Calls, Reply, Request } from './protocol';

/** A worker that is silent for so long has not started. */
const START_MS = 5_000;

/** Receives everything that is not an answer to the group. */
export interface Listener {
  /** An answer to the page. */
  passed(event: MessageEvent<Reply>): void;
  /** It works on. */
  heard(member: Member): void;
  /** The worker is lost. */
  lost(event: MessageEvent<Reply>): void;
  failed(event: ErrorEvent): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** See the module comment. */
export class Member {
  readonly #worker: WorkerLike;
  readonly #waiting = new Map<number, Waiting>();
  /** Numbers of open requests: those of the group are negative. */
  readonly #owed = new Set<number>();
  #next = -1;
  /** Ends the wait for its first message. */
  #begun: ((error: Error | null) => void) | null = null;
  /** Time that its lanes have reached on their way to another time; null if they are not on their way. */
  reachedNs: number | null = null;

  constructor(worker: WorkerLike, listener: Listener) {
    this.#worker = worker;
    worker.onmessage = (event) => {
      this.#receive(event, listener);
    };
    worker.onerror = (event) => {
      if (!this.#begun) {
        listener.failed(event);
        return;
      }
      event.preventDefault();
      this.#begun(new Error(event.message || 'the worker did not load'));
    };
  }

  /** Whether a request is open. */
  get owes(): boolean {
    return this.#owed.size > 0;
  }

  /** Hands on a request of the page; the answer goes to the page. */
  pass(request: Request): void {
    this.#owed.add(request.id);
    this.#worker.postMessage(request);
  }

  /** Sends a request of the group. Rejects with the worker's message if it refuses. */
  call<K extends CallName>(kind: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
    const id = this.#next--;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.pass({ kind, id, epoch: 0, args } as Request);
    });
  }

  /** The first request: also rejects if the worker stays silent, or breaks before. */
  begin<K extends CallName>(kind: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
    const started = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => {
        this.#begun?.(new Error('the worker did not start'));
      }, START_MS);
      this.#begun = (error) => {
        this.#begun = null;
        clearTimeout(timer);
        if (error) reject(error);
      };
    });
    return Promise.race([this.call(kind, args), started]);
  }

  /** Throws the worker away. */
  end(): void {
    this.#begun?.(null);
    this.#worker.onmessage = null;
    this.#worker.onerror = null;
    this.#worker.terminate();
  }

  #receive(event: MessageEvent<Reply>, listener: Listener): void {
    const { data } = event;
    if (data.kind === 'fault') {
      if (this.#begun) this.#begun(new Error(data.message));
      else listener.lost(event);
      return;
    }
    this.#begun?.(null);
    if (data.kind === 'alive') {
      this.reachedNs = data.reachedNs ?? null;
      listener.heard(this);
      return;
    }
    this.reachedNs = null;
    this.#owed.delete(data.id);
    if (data.id >= 0) {
      listener.passed(event);
      return;
    }
    listener.heard(this);
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.kind === 'result') waiting?.resolve(data.value);
    else waiting?.reject(new Error(data.message));
  }
}
