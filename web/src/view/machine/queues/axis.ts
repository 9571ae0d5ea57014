/** One list on an axis of deadlines: now at the left, each waiting thread at its deadline. */
import type { Rect } from '../../../lib/geom';
import { roundUp125 } from '../../../lib/scale';
import { MS } from '../../../lib/units';
import { type QueueRow, TaskState } from '../../../sim/frame';
import { BACKGROUND_SCALE, gapOf, type PlacedParts } from '../placed';
import { CAPTION, deadlinesOf, type QueueInput, waitingIn } from './input';

/** The deadline axis at a moment. */
export interface Axis {
  readonly kind: 'axis';
  readonly rect: Rect;
  /** Pixel of the present. */
  readonly nowX: number;
  /** Baseline. */
  readonly y: number;
  /** Simulated ns from the present to the right end. */
  readonly spanNs: number;
  readonly pxPerNs: number;
  readonly waiting: number;
  /** Number of threads whose deadline has passed. */
  readonly late: number;
  /** Number of threads that did not fit. */
  readonly lost: number;
}

/** Part of the width for deadlines that have passed. */
const PAST = 0.12;
/** The past is shown up to this many times the future; earlier deadlines stand at the left end. */
const MOST_PAST = 4;
/** Sizes of tokens on the axis; below `READABLE` they have neither numbers nor stems. */
const SIZES = [32, 27, 22, 18, 15, 12, 9, 7, 5, 3.5, 2.5] as const;
const READABLE = 12;
/** A token is pushed from its deadline by at most this distance and its own size. */
const NEAR = 24;

function axisOf(rect: Rect, input: QueueInput, waiting: readonly QueueRow[]): Axis {
  const { frame } = input;
  let [ahead, behind, late] = [0, 0, 0];
  // Running threads are on the axis, too, as outlines, so it must reach their deadlines.
  const deadlines = deadlinesOf(input);
  const state = frame.task('state');
  deadlines?.forEach((deadline, t) => {
    if (state[t] !== TaskState.running || input.isBackground(t) || !Number.isFinite(deadline))
      return;
    ahead = Math.max(ahead, deadline - frame.nowNs);
  });
  for (const { key } of waiting) {
    ahead = Math.max(ahead, key - frame.nowNs);
    behind = Math.max(behind, frame.nowNs - key);
    if (key < frame.nowNs) late += 1;
  }
  const spanNs = roundUp125(Math.max(100 * MS, ahead * 1.05), 10 * MS);
  const wide = rect.w - 16;
  const least = Math.max(34, wide * PAST);
  // The width of the past grows in steps, so that the scale does not change with every thread.
  const pastNs = Math.min(MOST_PAST * spanNs, roundUp125(Math.max(1, behind), 10 * MS));
  const past =
    (behind * (wide - least)) / spanNs <= least ? least : (wide * pastNs) / (pastNs + spanNs);
  const nowX = rect.x + Math.max(least, past);
  return {
    kind: 'axis',
    rect,
    nowX,
    y: rect.y + rect.h - 20,
    spanNs,
    pxPerNs: (rect.x + wide - nowX) / spanNs,
    waiting: waiting.length,
    late,
    lost: 0,
  };
}

/**
 * Largest size at which no token is pushed far. Many threads wait for nearly the same deadline: smaller tokens are
 * piled higher.
 */
function sizeFor(places: readonly number[], height: number): number {
  const most = Math.max(15, height / Math.min(3, Math.max(1, Math.ceil(places.length / 3))) - 2);
  const crowd = new Map<number, number>();
  for (const x of places) {
    const bin = Math.floor(x / NEAR);
    crowd.set(bin, (crowd.get(bin) ?? 0) + 1);
  }
  const fullest = Math.max(0, ...crowd.values());
  const fits = (size: number) => {
    const step = size + gapOf(size);
    const rows = Math.max(1, Math.floor((height + gapOf(size)) / step));
    return rows * Math.max(1, Math.floor((NEAR + size) / step)) >= fullest;
  };
  return SIZES.find((size) => size <= most && fits(size)) ?? SIZES.at(-1) ?? 1;
}

/** Places tokens along the axis: piles them up where they would overlap, and pushes them aside where a pile is full. */
export function axisIn(rect: Rect, input: QueueInput, out: PlacedParts): Axis {
  const { frame } = input;
  const waiting = waitingIn(input)
    .filter((row) => row.queue < 0)
    .sort((a, b) => a.key - b.key);
  const axis = axisOf(rect, input, waiting);
  const top = rect.y + CAPTION;
  const height = axis.y - 5 - top;
  const right = rect.x + rect.w - 4;
  const places = waiting.map((row) =>
    Math.max(rect.x + 3, axis.nowX + (row.key - frame.nowNs) * axis.pxPerNs),
  );
  const full = sizeFor(places, height);
  const gap = gapOf(full);
  const rows = Math.max(1, Math.floor((height + gap) / (full + gap)));
  const ends: number[] = Array<number>(rows).fill(rect.x);
  const lost = new Map<number, number>();
  waiting.forEach((row, i) => {
    const trueX = places[i] ?? 0;
    const size = input.isBackground(row.task) ? full * BACKGROUND_SCALE : full;
    const free = ends.findIndex((end) => trueX - size / 2 >= end);
    const level = free >= 0 ? free : ends.indexOf(Math.min(...ends));
    const x = Math.max(trueX, (ends[level] ?? 0) + size / 2);
    if (x + size / 2 > right + 6 || x - trueX > NEAR + size) {
      const bin = Math.floor(trueX / NEAR);
      lost.set(bin, (lost.get(bin) ?? 0) + 1);
      return;
    }
    ends[level] = x + size / 2 + gap;
    const y = axis.y - 5 - full / 2 - level * (full + gap);
    const stem = full < READABLE ? {} : { stem: { x: trueX, y: axis.y } };
    out.placed.push({ task: row.task, kind: 'axis', cpu: -1, x, y, size, ...stem });
  });
  for (const [bin, count] of lost)
    out.overflow.push({ x: Math.min(right, (bin + 1) * NEAR), y: top - 2, count, room: NEAR });
  return { ...axis, lost: [...lost.values()].reduce((sum, n) => sum + n, 0) };
}
