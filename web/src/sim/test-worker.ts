/** A worker in the same thread, with the real core: for tests of what runs without a page. */
import { messageOf } from '../lib/assert';
import type { WorkerLike } from './client';
import { dispatch, type HostRequest } from './dispatch';
import { Host } from './host';
import type { Reply, Request } from './protocol';
import { realCore } from './test-core';

const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** See the module comment. */
export class TestWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #host = new Host(realCore, {
    clock: () => performance.now(),
    breathe,
    alive: () => undefined,
  });
  #last: Promise<void> = Promise.resolve();

  postMessage(request: Request): void {
    if (request.kind === 'configure') this.#host.cancel();
    const isUrgent = request.kind === 'cancelSeek' || request.kind === 'halt';
    if (isUrgent) void this.#serve(request);
    else this.#last = this.#last.then(() => this.#serve(request));
  }

  terminate(): void {
    this.onmessage = null;
  }

  async #serve(request: Request): Promise<void> {
    const { id, epoch } = request;
    const say = (data: Reply) => this.onmessage?.({ data } as MessageEvent<Reply>);
    // An answer comes later than its question, as from a thread of its own.
    await breathe();
    try {
      say({ kind: 'result', id, epoch, value: await dispatch(this.#host, request as HostRequest) });
    } catch (error) {
      say({ kind: 'refused', id, epoch, message: messageOf(error) });
    }
  }
}
