/**
 * Which changes belong together for whoever takes them back: all that one drag of a slider makes are one step of
 * undo. A drag lasts until the next thing that is done with pointer or keyboard, for its last change may be made a
 * moment after the pointer has let go.
 */
import { atNextPress } from '../browser/hands';

let drags = 0;
let current: number | null = null;

/** A slider is being dragged from now on. To be called when the pointer goes down on it. */
export function beginDrag(): void {
  drags += 1;
  current = drags;
  atNextPress(() => (current = null));
}

/** The drag that changes belong to; null if they stand alone. */
export function currentDrag(): number | null {
  return current;
}
