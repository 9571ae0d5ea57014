/** Keys that hold on the whole page. */
import type { Lab } from '../../state/lab.svelte';
import { askAnnounced } from '../explain/ask';

/** Whether a key press belongs to the element that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="range"]):not([type="checkbox"]), select, textarea, dialog') !==
      null
  );
}

/** Handles a key press. */
export function onGlobalKey(event: KeyboardEvent, lab: Lab, help: () => void): void {
  if (event.defaultPrevented || isTyping(event.target)) return;
  const { playback, run, selection } = lab;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) lab.undo();
    else if (key === 'y' || key === 'z') lab.redo();
    else return;
    event.preventDefault();
    return;
  }
  if (event.altKey) return;
  if (event.key === 'Escape' && run.journey) {
    playback.halt();
    event.preventDefault();
    return;
  }
  if (lab.prefs.isPresenting && onPresenterKey(event, lab)) {
    event.preventDefault();
    return;
  }
  const isButton =
    event.target instanceof HTMLElement && event.target.closest('button, summary') !== null;
  if (event.key === ' ') {
    // On a button the space bar presses the button.
    if (isButton) return;
    playback.toggle();
  } else if (event.key === '.') lab.step();
  else if (event.key === ',') lab.step(true);
  else if (event.key === 'w') askAnnounced(lab);
  else if (event.key === '?') help();
  else if (event.key === 'Escape') selection.clear();
  else if (/^[1-4]$/.test(event.key) && Number(event.key) <= run.lanes.length)
    selection.lane = Number(event.key) - 1;
  else return;
  event.preventDefault();
}

/** Keys of a presentation, as a remote control sends them. Returns whether the key means something. */
function onPresenterKey(event: KeyboardEvent, lab: Lab): boolean {
  const { playback, prefs, run, selection } = lab;
  const { key } = event;
  // In a picture the arrows walk from thread to thread.
  const isInside =
    event.target instanceof HTMLElement && event.target.closest('[role="application"]') !== null;
  if (key === 'Escape') prefs.present(false);
  else if (/^[1-4]$/.test(key) && Number(key) <= run.lanes.length) {
    const lane = Number(key) - 1;
    prefs.soloLane = prefs.soloLane === lane ? null : lane;
    selection.lane = lane;
  } else if (isInside) return false;
  else if (key === 'ArrowRight' || key === 'PageDown') lab.step();
  else if (key === 'ArrowLeft' || key === 'PageUp') lab.step(true);
  else if (key === 'ArrowUp') playback.setSpeed(playback.speed * 2);
  else if (key === 'ArrowDown') playback.setSpeed(playback.speed / 2);
  else return false;
  return true;
}
