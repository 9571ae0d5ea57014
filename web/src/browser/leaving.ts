/** The last moments at which code of a page that closes is sure to run. */

/** Calls back when the page is hidden or left; perhaps more than once. */
export function onLeaving(act: () => void): void {
  if (typeof document === 'undefined') return;
  addEventListener('pagehide', act);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') act();
  });
}
