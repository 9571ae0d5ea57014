/** The full screen, which a browser may refuse: then the page goes on in its window. */

const refused = () => undefined;

/** Fills the screen, or gives it back. */
export function fillScreen(isOn: boolean): void {
  if (typeof document === 'undefined') return;
  // The arrows of a remote control step; in a picture that has the focus they would walk from thread to thread.
  if (isOn && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (isOn) void document.documentElement.requestFullscreen().catch(refused);
  else if (document.fullscreenElement) void document.exitFullscreen().catch(refused);
}

/** Whether the page fills the screen. */
export function fillsScreen(): boolean {
  return document.fullscreenElement !== null;
}
