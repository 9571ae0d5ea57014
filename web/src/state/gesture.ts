/**
 * Groups changes for undo: all changes of one slider drag are one step. A drag lasts until the next action with
 * pointer or keyboard, because its last change may be made just after the pointer was released.
 */
import { atNextPress } from '../browser/hands';

let drags = 0;
let current: number | null = null;

/** Begins a drag. To be called when the pointer goes down on a slider. */
export function beginDrag(): void {
  drags += 1;
  current = drags;
  atNextPress(() => (current = null));
}

/** The drag that a change made now belongs to; null if it stands alone. */
export function currentDrag(): number | null {
  return current;
}
