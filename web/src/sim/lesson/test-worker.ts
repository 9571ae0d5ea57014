/** A lesson's worker in the same thread, with the real core: for tests without a page. */
import { messageOf } from '../../lib/assert';
import type { LessonWorker } from './client';
import { LessonHost } from './core';
import type { LessonReply, LessonRequest } from './protocol';
import { lessonCore } from './serve';
// Loads the package.
import '../test-core';

/** See the module comment. */
export class TestLessonWorker implements LessonWorker {
  onmessage: ((event: MessageEvent<LessonReply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #host = new LessonHost(lessonCore);

  postMessage(request: LessonRequest): void {
    // An answer comes later than its request, as from another thread.
    setTimeout(() => {
      if (this.onmessage)
        this.onmessage({ data: this.#reply(request) } as MessageEvent<LessonReply>);
    });
  }

  terminate(): void {
    this.onmessage = null;
  }

  #reply(request: LessonRequest): LessonReply {
    const { id } = request;
    try {
      return { id, value: this.#host.answer(request) };
    } catch (error) {
      return { id, error: messageOf(error), isBroken: false };
    }
  }
}
