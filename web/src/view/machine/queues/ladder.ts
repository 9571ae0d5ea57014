/**
 * A ladder: a list for each level with a bitmap below. Each level is a column with the head of its list at the
 * bottom. Levels of ordinary threads are wide, the others narrow. If there are still too many, several levels share a
 * column, and the caption says so.
 */
import type { Rect } from '../../../lib/geom';
import type { QueueRow } from '../../../sim/frame';
import type { QueuePart } from '../../../sim/types/QueuePart';
import { BACKGROUND_SCALE, type PlacedParts } from '../placed';
import { CAPTION, type QueueInput } from './input';

/** A column: one or several levels. */
export interface Rung {
  readonly x: number;
  readonly w: number;
  /** Width of its pile: a full column spreads over empty neighbours. */
  readonly pile: number;
  /** Height of the foot under a wider pile, which leads to its levels. */
  readonly foot: number;
  /** First and last level. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Number of them that fit. */
  readonly shown: number;
}

/** A ladder at a moment. */
export interface Ladder {
  readonly kind: 'ladder';
  readonly rect: Rect;
  readonly part: QueuePart;
  readonly rungs: readonly Rung[];
  /** Where the lists stand. */
  readonly base: number;
  readonly waiting: number;
  /** Levels that are not empty. */
  readonly used: number;
  /** The level that is served next; −1 if no thread waits. */
  readonly first: number;
  /** Most levels that share a column. */
  readonly bin: number;
}

/** Factor by which a level of ordinary threads is wider. */
const FOCUS = 5;
/** Narrowest column in which threads are distinguishable. */
const MIN_COLUMN = 9;
/** Smallest token. */
const MIN_SIZE = 4;
/** Height of the foot of a pile that is wider than its levels. */
const FAN = 6;
/** Bitmap and numbers under the lists. */
const FOOT = 27;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Levels grouped into columns: narrow ones before and after the focus, wide ones in it. */
function spansOf(part: QueuePart, width: number): readonly Span[] {
  const [low, high] = part.focus ?? [0, part.places - 1];
  const wide = high - low + 1;
  const outside = part.places - wide;
  const unit = width / (outside + wide * FOCUS);
  const bin = Math.max(1, Math.ceil(MIN_COLUMN / Math.max(0.1, unit * FOCUS)));
  // Levels outside of the focus are usually empty, so a column may be very narrow there.
  const rough = Math.max(1, Math.ceil(2.5 / Math.max(0.1, unit)));
  const out: Span[] = [];
  const add = (from: number, to: number, by: number, weight: number) => {
    for (let at = from; at <= to; at += by) {
      const end = Math.min(to, at + by - 1);
      out.push({ from: at, to: end, weight: (end - at + 1) * weight });
    }
  };
  add(0, low - 1, rough, 1);
  add(low, high, bin, FOCUS);
  add(high + 1, part.places - 1, rough, 1);
  return out;
}

/** Each list may spread half of the way to the next non-empty list, on both sides alike. */
function roomOf(
  lists: readonly (readonly QueueRow[])[],
  starts: readonly number[],
  widths: readonly number[],
  edges: { readonly left: number; readonly right: number },
): readonly number[] {
  const middle = (i: number) => (starts[i] ?? 0) + (widths[i] ?? 0) / 2;
  const used = lists.flatMap((list, i) => (list.length > 0 ? [i] : []));
  return lists.map((list, i) => {
    if (list.length === 0) return 0;
    const k = used.indexOf(i);
    const before = used[k - 1];
    const after = used[k + 1];
    const l = before === undefined ? edges.left - middle(i) : (middle(before) - middle(i)) / 2;
    const r = after === undefined ? edges.right - middle(i) : (middle(after) - middle(i)) / 2;
    return Math.max(widths[i] ?? 1, 2 * Math.min(-l, r) - 4);
  });
}

/** The largest token with which a list of `n` fits into a column. */
function sizeFor(n: number, w: number, h: number): number {
  for (let size = Math.min(26, Math.max(MIN_SIZE, w - 2), h); size > MIN_SIZE; size -= 1)
    if (roomFor(size, w, h - FAN) >= n) return size;
  return MIN_SIZE;
}

function roomFor(size: number, w: number, h: number): number {
  return Math.max(1, Math.floor(w / (size + 1))) * Math.max(1, Math.floor(h / (size + 1)));
}

/** Places the threads of a ladder. `cpu` is the CPU of the queue, −1 for the global queue. */
export function ladderIn(
  rect: Rect,
  part: QueuePart,
  rows: readonly QueueRow[],
  cpu: number,
  input: QueueInput,
  out: PlacedParts,
): Ladder {
  const left = rect.x + 4;
  const width = rect.w - 8;
  const base = rect.y + rect.h - FOOT;
  const height = Math.max(6, base - rect.y - CAPTION);
  const spans = spansOf(part, width);
  const total = spans.reduce((sum, s) => sum + s.weight, 0);
  const at = new Int32Array(part.places);
  spans.forEach((s, i) => at.fill(i, s.from, s.to + 1));
  const lists: QueueRow[][] = spans.map(() => []);
  const used = new Set<number>();
  for (const row of rows) {
    lists[at[row.place] ?? 0]?.push(row);
    used.add(row.place);
  }
  const widths = spans.map((span) => (span.weight / total) * width);
  let edge = left;
  const starts = widths.map((w) => (edge += w) - w);
  const room = roomOf(lists, starts, widths, { left, right: left + width });
  // One size for all, so that a longer list looks longer.
  let size = 26;
  lists.forEach((list, i) => {
    if (list.length > 0) size = Math.min(size, sizeFor(list.length, room[i] ?? 1, height));
  });
  const deep = Math.max(1, Math.floor((height - FAN) / (size + 1)));
  const rungs = spans.map((span, i): Rung => {
    const [x, w] = [starts[i] ?? 0, widths[i] ?? 1];
    const list = lists[i] ?? [];
    const widest = Math.max(1, Math.floor((room[i] ?? w) / (size + 1)));
    // No wider than necessary: a column reads as a list if its threads are stacked.
    const own = Math.max(1, Math.floor(w / (size + 1)));
    const across = Math.min(widest, Math.max(own, Math.ceil(list.length / deep)));
    const pile = Math.max(w, Math.min(across, list.length) * (size + 1));
    const foot = pile > w + FAN ? FAN : 0;
    list.slice(0, across * deep).forEach((row, k) => {
      const columns = Math.min(across, list.length);
      out.placed.push({
        task: row.task,
        kind: 'queue',
        cpu,
        x: x + w / 2 + ((k % across) - (columns - 1) / 2) * (size + 1),
        y: base - 2 - foot - size / 2 - Math.floor(k / across) * (size + 1),
        size: input.isBackground(row.task) ? size * BACKGROUND_SCALE : size,
      });
    });
    const shown = Math.min(across * deep, list.length);
    if (shown < list.length)
      out.overflow.push({
        x: Math.min(x + w / 2 + 14, rect.x + rect.w),
        y: rect.y + CAPTION - 2,
        count: list.length - shown,
      });
    return { x, w, pile, foot, from: span.from, to: span.to, count: list.length, shown };
  });
  return {
    kind: 'ladder',
    rect,
    part,
    rungs,
    base,
    waiting: rows.length,
    used: used.size,
    first: used.size > 0 ? Math.min(...used) : -1,
    bin: Math.max(...spans.map((s) => s.to - s.from + 1)),
  };
}
