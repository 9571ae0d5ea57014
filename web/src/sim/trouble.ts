/** Why the simulation does not run, in words: what happened, and what the user can do. */
import { coreMessage } from '../lib/core-message';
import type { Fault } from './client';

/** What happened, by the kind of the fault. */
const WHAT: Readonly<Record<Fault['kind'], string>> = {
  panic: 'The simulation stopped on an internal error',
  memory: 'The simulation ran out of memory',
  silence: 'The simulation did not answer',
  load: 'The simulation could not be loaded',
};

/** Advice for a simulation that never started. */
const TODO: Readonly<Record<Fault['kind'], string>> = {
  panic: 'Open the page without the link, or reload it.',
  memory: 'Close other tabs and programs and reload the page, or open it without the link.',
  silence: 'The computer may be busy, or the network slow. Reload the page.',
  load: 'Is the network there? Reload the page. If that does not help, reset it: that fetches the program anew and keeps your work.',
};

/** Features of the browser that may be the reason. */
export interface BrowserSupport {
  readonly hasOrigin: boolean;
  readonly hasWebAssembly: boolean;
}

/** What happened, as a sentence without its full stop. */
export function sayFault({ kind, message }: Fault): string {
  return `${WHAT[kind]} (${coreMessage(message)})`;
}

/** Advice for a page that shows nothing yet. */
export function adviceFor({ kind }: Fault, { hasOrigin, hasWebAssembly }: BrowserSupport): string {
  if (!hasOrigin)
    return 'The page is in a frame without an origin, where the browser starts no workers. Open it in a window of its own. The author of the page around it can add allow-same-origin to the frame’s sandbox.';
  if (!hasWebAssembly)
    return 'The browser has WebAssembly switched off, as some do for safety. Allow it for this page, or use another browser.';
  return TODO[kind];
}
