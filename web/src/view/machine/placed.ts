/** A thread at its place in a picture, and what found no place. */

/** Kind of place. `ahead` is a queue in which the thread may not be picked yet. */
export type PlaceKind = 'slot' | 'axis' | 'queue' | 'ahead' | 'sleep' | 'done';

/** Whether threads at such a place are outlines. */
export function isOutline(kind: PlaceKind): boolean {
  return kind === 'sleep' || kind === 'done' || kind === 'ahead';
}

/** A thread at its place. */
export interface Placed {
  readonly task: number;
  readonly kind: PlaceKind;
  /** CPU of the slot or of the queue; −1 for places that belong to none. */
  readonly cpu: number;
  /** Middle. */
  readonly x: number;
  readonly y: number;
  /** Length of a side. */
  readonly size: number;
  /** Where it really belongs, when others pushed it on: a stem leads there. */
  readonly stem?: { readonly x: number; readonly y: number };
}

/** A number of threads that found no room, and where to say so. */
export interface Overflow {
  /** Right end of the words. */
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** Width that there is for the words; without, as much as they need. */
  readonly room?: number;
}

/** What a part of a picture adds to it. */
export interface Out {
  readonly placed: Placed[];
  readonly overflow: Overflow[];
}

/** Between tokens of a size that stand beside or upon each other. */
export function gapOf(size: number): number {
  return size < 4 ? 0.5 : size < 8 ? 1 : 2;
}

/** Background threads are drawn smaller. */
export const BACKGROUND_SCALE = 0.4;
