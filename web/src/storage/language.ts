/** The language that the user chose on this device, if any. */

const KEY = 'timeslice.language';

/** The chosen language; null if there is none, or where the browser refuses. */
export function language(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers a language; null forgets it. Where the browser refuses, only the link carries it. */
export function rememberLanguage(chosen: string | null): void {
  try {
    if (chosen === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // See above.
  }
}
