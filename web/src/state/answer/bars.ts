/**
 * Share bars: the share of each thread, or the work that it did, sorted. With many threads, the best and the worst have bars, and a band
 * stands for the others.
 */
import { percent } from '../../lib/format';
import type { MeasuredLane } from './measures';
import { fairOf, sharesOf, workOf } from './shares';

/** With more threads than this, not every thread has a bar. */
const MOST = 12;
const BEST = 3;
const WORST = 5;

/** The bar of one thread. */
export interface ShareBar {
  readonly task: number;
  /** Part of a CPU, or of the work of a free core, from 0 to 1. */
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
  /** The share of each thread if all had the same; null where equal shares are not meant. */
  readonly fair: number | null;
}

/** Bars whose shares differ by less than this keep their order: a reader could not see why they changed places. */
const NOTICEABLE = 0.005;
/** A smaller share is shown as 0 %. */
const NOTHING = 0.005;

/**
 * Ranks the threads of a lane. `before` is the previous order. A thread that is hardly ahead of another keeps its
 * place, so that the ranking is steady. Unless `canMove`, no bar moves. With `isWork` bars are the work done.
 */
export function shareBars(
  lane: MeasuredLane,
  before: readonly number[] = [],
  canMove = true,
  isWork = false,
): ShareBars {
  const { tasks, shares: had } = sharesOf(lane);
  const shares = isWork ? Float64Array.from(tasks, (t) => workOf(lane, t)) : had;
  return ranked(tasks, shares, fairOf(lane)?.share ?? null, before, canMove);
}

/** Ranks shares of threads, by position; those that are not known are left out. See `shareBars`. */
export function ranked(
  tasks: readonly number[],
  shares: ArrayLike<number>,
  fair: number | null,
  before: readonly number[] = [],
  canMove = true,
): ShareBars {
  const place = new Map(before.map((task, i) => [task, i]));
  const given: Given = {
    bar: (i) => ({ task: tasks[i] ?? -1, share: Math.min(1, shares[i] ?? 0), isWorst: false }),
    placeOf: (i) => place.get(tasks[i] ?? -1) ?? before.length + (tasks[i] ?? 0),
  };
  const known: number[] = [];
  for (let i = 0; i < tasks.length; i++) if (!Number.isNaN(shares[i])) known.push(i);
  // With many threads the order is the exact one: the best and the worst are shown without regard to `before`.
  if (known.length > MOST) return ofMany(known, shares, given, fair);
  const all = known.sort((a, b) => given.placeOf(a) - given.placeOf(b)).map((i) => given.bar(i));
  if (canMove) settle(all);
  const own = all.map((bar) => bar.share);
  const [low, high] = [Math.min(...own), Math.max(...own)];
  const above = marked(all, isUneven(all.length, low, high));
  return { above, band: null, below: [], fair };
}

/** How to make a bar for a thread, and where it stood before, by its position among the ranked threads. */
interface Given {
  /** Not marked as the worst. */
  bar(i: number): ShareBar;
  placeOf(i: number): number;
}

const isUneven = (threads: number, low: number, high: number): boolean =>
  threads > 1 && high - low >= 0.01;

/** Marks the worst: the threads with the lowest number as it is shown, if they are the exception. */
function marked<B extends ShareBar>(bars: readonly B[], isMarked: boolean): readonly B[] {
  const low = percent(Math.min(...bars.map((bar) => bar.share)));
  const worst = bars.filter((bar) => percent(bar.share) === low);
  if (!isMarked || 2 * worst.length > bars.length) return bars;
  return bars.map((bar) => ({ ...bar, isWorst: worst.includes(bar) }));
}

/** Finds only the best, the worst and the neighbours of both: sorting hundreds of threads would take too long. */
function ofMany(
  known: readonly number[],
  shares: ArrayLike<number>,
  given: Given,
  fair: number | null,
): ShareBars {
  const shareAt = (i: number) => Math.min(1, shares[i] ?? 0);
  /** Negative if the first thread stands above the second. */
  const order = (a: number, b: number) =>
    shareAt(b) - shareAt(a) || given.placeOf(a) - given.placeOf(b);
  const top = first(known, BEST + 1, order);
  const bottom = first(known, WORST + 1, (a, b) => order(b, a)).reverse();
  const [best, worst] = [top[0] ?? 0, bottom.at(-1) ?? 0];
  const isMarked = isUneven(known.length, shareAt(worst), shareAt(best));
  // Nobody compares threads that all had nothing.
  if (top.length > BEST && shareAt(top[BEST] ?? 0) < NOTHING) {
    const band = {
      threads: known.length - BEST,
      least: shareAt(worst),
      most: shareAt(top[BEST] ?? 0),
    };
    return {
      above: top.slice(0, BEST).map((i) => given.bar(i)),
      band,
      below: [],
      fair,
    };
  }
  const all = [...top.slice(0, BEST), ...bottom.slice(1)].map((i) => given.bar(i));
  const bars = marked(all, isMarked);
  return {
    above: bars.slice(0, BEST),
    band: {
      threads: known.length - BEST - WORST,
      least: shareAt(bottom[0] ?? 0),
      most: shareAt(top.at(-1) ?? 0),
    },
    below: bars.slice(BEST),
    fair,
  };
}

/** The first few in an order. */
function first(
  all: readonly number[],
  most: number,
  order: (a: number, b: number) => number,
): number[] {
  const found: number[] = [];
  for (const i of all) {
    let at = found.length;
    while (at > 0 && order(i, found[at - 1] ?? 0) < 0) at -= 1;
    if (at >= most) continue;
    found.splice(at, 0, i);
    if (found.length > most) found.pop();
  }
  return found;
}

/** Sorts in place by falling shares; those that hardly differ stay in their order. */
function settle(bars: ShareBar[]): void {
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
