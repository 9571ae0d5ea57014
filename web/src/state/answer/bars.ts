/** Share bars: who had how much, sorted; of many the best, the worst, and what lies between them as one band. */
import type { MeasuredLane } from './measures';
import { begun, fairOf, shareOf } from './shares';

/** More threads than this are not shown one by one. */
const MOST = 12;
const BEST = 3;
const WORST = 5;

/** The bar of one thread. */
export interface ShareBar {
  readonly task: number;
  /** Part of a CPU, from 0 to 1. */
  readonly share: number;
  readonly isWorst: boolean;
}

/** Threads that have no bar of their own. */
export interface ShareBand {
  readonly threads: number;
  readonly least: number;
  readonly most: number;
}

/** The bars of a lane, from the largest share to the smallest. */
export interface ShareBars {
  readonly above: readonly ShareBar[];
  /** Null where every thread has a bar. */
  readonly band: ShareBand | null;
  readonly below: readonly ShareBar[];
  /** What each would have if all had the same; null where that is not meant. */
  readonly fair: number | null;
}

/** Shares that differ by less than this do not change places: nobody could see why. */
const NOTICEABLE = 0.005;

/**
 * Ranks the threads of a lane. `before` is the order so far: who is hardly ahead of another stays where it was, so that
 * the ranking moves calmly; nobody moves at all unless `canMove`.
 */
export function shareBars(
  lane: MeasuredLane,
  before: readonly number[] = [],
  canMove = true,
): ShareBars {
  const all = begun(lane)
    .map((task) => ({ task, share: Math.min(1, shareOf(lane, task)) }))
    .filter((bar) => Number.isFinite(bar.share));
  return ranked(all, fairOf(lane)?.share ?? null, before, canMove);
}

/** Ranks shares of threads; see `shareBars`. */
export function ranked(
  given: readonly { readonly task: number; readonly share: number }[],
  fair: number | null,
  before: readonly number[] = [],
  canMove = true,
): ShareBars {
  const all = [...given];
  const place = new Map(before.map((task, i) => [task, i]));
  const placeOf = (task: number) => place.get(task) ?? before.length + task;
  all.sort((a, b) => placeOf(a.task) - placeOf(b.task));
  // The best and the worst of many are who they are.
  if (all.length > MOST) all.sort((a, b) => b.share - a.share);
  else if (canMove) settle(all);
  const shares = all.map((bar) => bar.share);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  const isUneven = all.length > 1 && high - low >= 0.01;
  const worst = isUneven ? shares.lastIndexOf(low) : -1;
  const bars = all.map((bar, i) => ({ ...bar, isWorst: i === worst }));
  if (bars.length <= MOST) return { above: bars, band: null, below: [], fair };
  const between = shares.slice(BEST, -WORST);
  return {
    above: bars.slice(0, BEST),
    band: {
      threads: between.length,
      least: Math.min(...between),
      most: Math.max(...between),
    },
    below: bars.slice(-WORST),
    fair,
  };
}

/** Sorts in place by falling shares; those that hardly differ stay in their order. */
function settle(bars: { task: number; share: number }[]): void {
  for (let i = 1; i < bars.length; i++) {
    const bar = bars[i];
    if (!bar) continue;
    let to = i;
    while (to > 0 && bar.share > (bars[to - 1]?.share ?? 1) + NOTICEABLE) to -= 1;
    if (to === i) continue;
    bars.splice(i, 1);
    bars.splice(to, 0, bar);
  }
}
