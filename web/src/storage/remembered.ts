/** What this device remembers of how the person likes the page: one small object in `localStorage`. */

const KEY = 'timeslice.prefs';

/** What is remembered; empty where nothing is, or where the browser refuses (private windows, sandboxed frames). */
export function remembered(): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Remembers this and nothing else. Where the browser refuses, it holds until the page is closed. */
export function remember(what: object): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // See above.
  }
}
