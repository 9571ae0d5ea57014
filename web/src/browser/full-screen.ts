/** The full screen, which a browser may refuse: then the page goes on in its window. */

const refused = () => undefined;

/** Fills the screen, or gives it back. */
export function fillScreen(isOn: boolean): void {
  if (typeof document === 'undefined') return;
  // The arrow keys of a remote control then make steps. If the picture had the focus, they would go from thread to
  // thread.
  if (isOn && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (isOn) void document.documentElement.requestFullscreen().catch(refused);
  else if (document.fullscreenElement) void document.exitFullscreen().catch(refused);
}

/** Whether the page fills the screen. */
export function fillsScreen(): boolean {
  return document.fullscreenElement !== null;
}
