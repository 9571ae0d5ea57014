/** The compiled core, which the page keeps for the workers that it starts and for itself. */
import { type CoreNote, isCoreNote } from './core-note';

/** The part of a Worker that is used here, so that tests can replace it. */
export interface CoreWorker {
  postMessage(note: CoreNote): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** See the module comment. */
export class CompiledCore {
  #module: WebAssembly.Module | null = null;

  /** The core; null until a worker has sent it, which it does before it answers anything. */
  get module(): WebAssembly.Module | null {
    return this.#module;
  }

  /** Gives the core to a worker that was just started, or takes it from that worker. */
  lend<W extends CoreWorker>(worker: W): W {
    if (this.#module === null)
      worker.addEventListener('message', (event) => {
        if (!isCoreNote(event.data)) return;
        this.#module ??= event.data.core;
        // No other listener knows this message.
        event.stopImmediatePropagation();
      });
    worker.postMessage({ core: this.#module });
    return worker;
  }
}

/** The one of this page. */
export const compiledCore = new CompiledCore();
