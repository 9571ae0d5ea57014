/**
 * Gets the core of a worker: compiled by another worker, or compiled here and sent to the page, so that it is
 * compiled once.
 */
import { isCoreNote } from './core-note';
import { compiled } from './load-core';
import init, { type InitOutput } from './pkg/sim_wasm';

/** The core that the page sent, if it has one. A browser that cannot send one fires an event of its own. */
function sent(): Promise<WebAssembly.Module | null> {
  return new Promise((resolve) => {
    const first = (event: MessageEvent): void => {
      if (event.type === 'message' && !isCoreNote(event.data)) return;
      self.removeEventListener('message', first);
      self.removeEventListener('messageerror', first);
      event.stopImmediatePropagation();
      resolve(isCoreNote(event.data) ? event.data.core : null);
    };
    self.addEventListener('message', first);
    self.addEventListener('messageerror', first);
  });
}

async function start(): Promise<InitOutput> {
  const given = await sent();
  const core = given ?? (await compiled());
  if (!given)
    try {
      self.postMessage({ core });
    } catch {
      // Then each worker compiles it.
    }
  return init({ module_or_path: core });
}

/** The core, when it is loaded. */
export const loaded = start();
