/** The language that this person chose on this device, if any. */

const KEY = 'timeslice.language';

/** What was chosen; null where nothing was, or where the browser refuses. */
export function language(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers a language; null forgets it. Where the browser refuses, the link alone says it. */
export function rememberLanguage(chosen: string | null): void {
  try {
    if (chosen === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // See above.
  }
}
