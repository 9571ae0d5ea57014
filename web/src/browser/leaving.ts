/** The last moments in which a page that goes away is sure to run. */

/** Calls back when the page is hidden or left; perhaps more than once. */
export function onLeaving(act: () => void): void {
  if (typeof document === 'undefined') return;
  addEventListener('pagehide', act);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') act();
  });
}
