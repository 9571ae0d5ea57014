/**
 * Groups changes for undo: all changes of one slider drag are one step. A drag lasts until the next action with
 * pointer or keyboard, because its last change may be made just after the pointer was released.
 */
import { atNextPress } from '../../browser/next-press';

let drags = 0;
let current: number | null = null;

/** A drag that no pointer makes: its changes replace each other while time stands, and each is a step of undo. */
export function newDrag(): number {
  drags += 1;
  return drags;
}

/** Begins a drag. To be called when the pointer goes down on a slider. */
export function beginDrag(): void {
  current = newDrag();
  atNextPress(() => (current = null));
}

/** The drag that a change made now belongs to; null if it stands alone. */
export function currentDrag(): number | null {
  return current;
}
