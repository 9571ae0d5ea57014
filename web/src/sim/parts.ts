/** How lanes are spread over workers (each has a block of neighbours, so that their order is that of the scenario), and what these agree on. */

/** Longest work before a worker looks at its inbox, in ms. */
export const BUDGET_MS = 8;

/** Part of a run that is short, at which it opens. */
const OPENS_AT_PART = 8;

/** Where a run opens of which a lane is over already at the moment worth looking at: there would be nothing to compare. */
export function beforeItIsOver(overNs: number): number {
  return Math.floor(overNs / OPENS_AT_PART);
}

/** How many workers so many lanes are spread over where there may be at most `most`. */
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
