/**
 * The first message to a worker, and possibly its first answer: the compiled core, so that all workers of the page
 * share it. Null if there is none yet: then the worker compiles it and sends it.
 */
export interface CoreNote {
  readonly core: WebAssembly.Module | null;
}

/** Whether a message is that. */
export function isCoreNote(data: unknown): data is CoreNote {
  return typeof data === 'object' && data !== null && 'core' in data;
}
