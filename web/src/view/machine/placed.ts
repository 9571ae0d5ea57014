/** A thread at its place in a picture, and threads without a place. */

/**
 * Kind of place. `ahead` is a queue in which the thread may not be picked yet. In `held` no CPU may take it, because the
 * time of its control group is used up.
 */
export type PlaceKind = 'slot' | 'axis' | 'queue' | 'ahead' | 'held' | 'sleep' | 'done';

/** Whether threads at such a place are outlines. */
export function isOutline(kind: PlaceKind): boolean {
  return kind === 'sleep' || kind === 'done' || kind === 'ahead';
}

/** A thread at its place. */
export interface Placed {
  readonly task: number;
  readonly kind: PlaceKind;
  /** CPU of the slot or of the queue; −1 for places without a CPU. */
  readonly cpu: number;
  /** Middle. */
  readonly x: number;
  readonly y: number;
  /** Length of a side. */
  readonly size: number;
  /** Its true place, if other tokens pushed it aside: a stem leads there. */
  readonly stem?: { readonly x: number; readonly y: number };
}

/** A number of threads that did not fit, and the place for that number. */
export interface Overflow {
  /** Right end of the words. */
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** Width for the words; without it, as much as they need. */
  readonly room?: number;
}

/** Tokens and overflows that a part of the picture adds. */
export interface PlacedParts {
  readonly placed: Placed[];
  readonly overflow: Overflow[];
}

/** Gap between adjacent tokens of a size. */
export function gapOf(size: number): number {
  return size < 4 ? 0.5 : size < 8 ? 1 : 2;
}

/** Background threads are drawn smaller. */
export const BACKGROUND_SCALE = 0.4;
