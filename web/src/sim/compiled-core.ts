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
  #coming: Promise<unknown> | null = null;

  /** The core; null until the page or a worker has compiled it. A worker answers nothing before that. */
  get module(): WebAssembly.Module | null {
    return this.#module;
  }

  /**
   * Takes a core that the page itself compiles, so that loading it need not wait for a worker. If that fails, the first
   * worker tries it, and says why it cannot.
   */
  expect(coming: Promise<WebAssembly.Module>): void {
    this.#coming = coming.then(
      (module) => (this.#module ??= module),
      () => null,
    );
  }

  /** Workers that start from now on get another core. */
  replace(module: WebAssembly.Module): void {
    this.#coming = null;
    this.#module = module;
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
    const give = () => {
      worker.postMessage({ core: this.#module });
    };
    if (this.#coming) void this.#coming.then(give);
    else give();
    return worker;
  }
}

/** The one of this page. */
export const compiledCore = new CompiledCore();
