/**
 * The first message to a worker, and what it may answer first: the core as it was compiled, once for all workers of the page.
 * Null where there is none yet: then the worker compiles it and sends it.
 */
export interface CoreNote {
  readonly core: WebAssembly.Module | null;
}

/** Whether a message is that. */
export function isCoreNote(data: unknown): data is CoreNote {
  return typeof data === 'object' && data !== null && 'core' in data;
}
