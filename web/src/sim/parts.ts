/**
 * Distributes lanes over workers, each with neighbouring lanes in the scenario's order, and has the constants that
 * these share.
 */

/** Longest work before a worker looks at its inbox, in ms. */
export const BUDGET_MS = 8;

/** Longest slice of work while the page plays, in ms: workers run while the page draws, so it is most of a frame of 60 Hz. */
export const SLICE_MS = 14;

/** A short run opens after one part in this many. */
const OPENS_AT_PART = 8;

/** Where a run opens if a lane has finished before the moment worth seeing: there would be nothing to compare. */
export function beforeItIsOver(overNs: number): number {
  return Math.floor(overNs / OPENS_AT_PART);
}

/** Number of workers for a number of lanes, at most `most`. */
export function partsOf(lanes: number, most: number): number {
  return Math.max(1, Math.min(lanes, most));
}

/** The lanes of a part, from its first to before its last. */
export function blockOf(
  lanes: number,
  parts: number,
  index: number,
): readonly [from: number, to: number] {
  return [Math.floor((index * lanes) / parts), Math.floor(((index + 1) * lanes) / parts)];
}
