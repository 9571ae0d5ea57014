/** The user's preferences on this device: one small object in `localStorage`. */

const KEY = 'timeslice.prefs';

/** The preferences; empty if there are none, or where the browser refuses (private windows, sandboxed frames). */
export function remembered(): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Remembers these preferences and no others. Where the browser refuses, they hold until the page is closed. */
export function remember(what: object): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // See above.
  }
}
