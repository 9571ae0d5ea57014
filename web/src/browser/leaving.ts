/** The last moments at which code of a page that closes is sure to run. */

/**
 * Calls back when the page is hidden, frozen or left; perhaps more than once. What is asked for just before a page is
 * hidden may come after that, and a frozen page may be discarded without another word.
 */
export function onLeaving(act: () => void): void {
  if (typeof document === 'undefined') return;
  addEventListener('pagehide', act);
  document.addEventListener('freeze', act);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') act();
  });
}
