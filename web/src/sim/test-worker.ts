/** A worker in the same thread, with the real core: for tests without a page. */
import { messageOf } from '../lib/assert';
import type { WorkerLike } from './client';
import { dispatch, type HostRequest } from './dispatch';
import { Host } from './host';
import type { CoreApi } from './lane-api';
import type { Reply, Request } from './protocol';
import { realCore } from './test-core';

const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** See the module comment. */
export class TestWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  /** The requests that it received. */
  readonly asked: Request[] = [];
  readonly #host: Host;
  #last: Promise<void> = Promise.resolve();

  constructor(core: CoreApi = realCore, clock: () => number = () => performance.now()) {
    const alive = () => {
      this.#say({ kind: 'alive', reachedNs: this.#host.reachedNs });
    };
    this.#host = new Host(core, {
      clock,
      breathe: () => {
        alive();
        return breathe();
      },
      alive,
    });
  }

  postMessage(request: Request): void {
    this.asked.push(request);
    if (request.kind === 'configure') this.#host.cancel();
    const isUrgent = request.kind === 'cancelSeek' || request.kind === 'halt';
    if (isUrgent) void this.#serve(request);
    else this.#last = this.#last.then(() => this.#serve(request));
  }

  terminate(): void {
    this.onmessage = null;
  }

  #say(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }

  async #serve(request: Request): Promise<void> {
    const { id, epoch } = request;
    // An answer comes later than its request, as from another thread.
    if (request.kind !== 'cancelSeek' && request.kind !== 'halt') await breathe();
    try {
      this.#say({
        kind: 'result',
        id,
        epoch,
        value: await dispatch(this.#host, request as HostRequest),
      });
    } catch (error) {
      this.#say({ kind: 'refused', id, epoch, message: messageOf(error) });
    }
  }
}
