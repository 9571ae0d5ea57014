/** Input by pointer and keyboard anywhere on the page. */

/** Calls back once, at the next press of a pointer or a key. */
export function atNextPress(act: () => void): void {
  if (typeof document === 'undefined') return;
  const end = new AbortController();
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(
      type,
      () => {
        end.abort();
        act();
      },
      { capture: true, signal: end.signal },
    );
}
