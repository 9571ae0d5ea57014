/** The parts of a box that shows a control group with a limit: the clock, the words, and the threads that stand still. */
import type { Point, Rect } from '../../lib/geom';

/** See the module comment. */
export interface LimitParts {
  /** The clock until its time comes back. */
  readonly ring: Point & { readonly r: number };
  readonly words: Rect;
  readonly tokens: Rect;
}

/** Space at the edges, and between the parts. */
const PAD = 8;
/** Largest clock, and its largest part of the width. */
const RING = { most: 86, part: 0.24 } as const;
/** Part of the rest that threads get. */
const TOKENS = 0.4;
/** Most threads that are drawn, their largest size, and the space between them. */
const MOST = 12;
const LARGEST = 58;
const GAP = 5;

/** Divides a box. */
export function limitParts({ x, y, w, h }: Rect): LimitParts {
  const d = Math.min(h - PAD, RING.most, w * RING.part);
  const ring = { x: x + PAD + d / 2, y: y + h / 2, r: d / 2 };
  const left = x + d + 2 * PAD;
  const rest = Math.max(0, x + w - PAD - left);
  const tokens = rest * TOKENS;
  const words = { x: left, y: y + PAD / 2, w: rest - tokens - PAD, h: h - PAD };
  return {
    ring,
    words,
    tokens: { x: left + rest - tokens, y: y + PAD, w: tokens, h: h - 2 * PAD },
  };
}

/** Places of so many threads in a rectangle, as large as they may be; some have none where there are too many. */
export function tokenGrid(
  { x, y, w, h }: Rect,
  count: number,
): { readonly size: number; readonly places: readonly Point[] } {
  const n = Math.min(count, MOST);
  let [size, columns] = [0, 1];
  for (let tried = 1; tried <= n; tried++) {
    const rows = Math.ceil(n / tried);
    const fits = Math.min(LARGEST, (w - GAP * (tried - 1)) / tried, (h - GAP * (rows - 1)) / rows);
    if (fits > size) [size, columns] = [fits, tried];
  }
  const rows = Math.ceil(n / columns);
  const top = y + (h - rows * size - (rows - 1) * GAP) / 2;
  const places = Array.from({ length: n }, (_, i) => ({
    // They stand at the right end: the words have the room before them.
    x: x + w - (Math.min(n, columns) - (i % columns)) * (size + GAP) + GAP + size / 2,
    y: top + Math.floor(i / columns) * (size + GAP) + size / 2,
  }));
  return { size, places };
}
