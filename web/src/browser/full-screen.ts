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

/** Whether a window was just opened beside the page. */
let opensWindow = false;

/** Opens a window beside the page. A browser may leave full screen for it, which is nobody's wish to stop presenting. */
export function openBeside(name: string, features: string): Window | null {
  opensWindow = true;
  setTimeout(() => (opensWindow = false), 1_000);
  return window.open('', name, features);
}

/** Whether somebody has left full screen by the browser's own control. */
export function wasLeft(): boolean {
  return document.fullscreenElement === null && !opensWindow;
}
