/** The arrangement of threads in queue columns: rows of tokens of one size, side by side and stacked. */
import type { Rect } from '../../../lib/geom';
import { gapOf, type PlacedParts } from '../placed';
import type { Column } from './columns';

/** Length of the longest queue, rounded to a few values, so that threads do not change size with each arrival. */
function longestOf(columns: readonly Column[]): number {
  const longest = columns.reduce((most, c) => Math.max(most, c.count), 1);
  const step = 2 ** Math.max(0, Math.floor(Math.log2(longest)) - 2);
  return Math.ceil(longest / step) * step;
}

/** The arrangement of all columns' tokens: their size, the rows that fit, and the number in a row. */
export interface Grid {
  readonly size: number;
  readonly gap: number;
  readonly rows: number;
  readonly across: number;
}

/** Smallest token: a dot, for hundreds of columns side by side. */
const DOT = 1.5;
/** Below this no number is readable: then smaller tokens in one pile are better than several in a row. */
const READABLE = 14;

/**
 * The largest tokens with which the longest queue fits, side by side where a column is wide; each of `parts` begins a
 * new row.
 */
export function gridOf(
  columns: readonly Column[],
  area: Rect,
  parts: readonly number[] = [],
): Grid {
  const longest = longestOf(columns);
  const single = Math.max(READABLE, Math.floor(area.h / longest) - 2);
  let size = Math.max(DOT, Math.min(28, area.w - (area.w < 8 ? 0.5 : 3), single));
  const at = (s: number): Grid => {
    const gap = gapOf(s);
    return {
      size: s,
      gap,
      rows: Math.max(1, Math.floor((area.h + gap) / (s + gap))),
      across: Math.max(1, Math.floor((area.w - 2) / (s + 1))),
    };
  };
  const hasRoom = ({ rows, across }: Grid) =>
    rows * across >= longest && parts.reduce((n, part) => n + Math.ceil(part / across), 0) <= rows;
  let grid = at(size);
  while (size > DOT && !hasRoom(grid)) {
    size = Math.max(DOT, size - (size > 5 ? 1 : 0.5));
    grid = at(size);
  }
  if (parts.length > 0) return { ...grid, across: fewest(grid, hasRoom) };
  return { ...grid, across: Math.min(grid.across, Math.ceil(longest / grid.rows)) };
}

/** The smallest number in a row with which all fit. */
function fewest(grid: Grid, hasRoom: (grid: Grid) => boolean): number {
  for (let across = 1; across < grid.across; across++)
    if (hasRoom({ ...grid, across })) return across;
  return grid.across;
}

/** Adds the number of threads of a queue that did not fit above it. */
export function tellLost(column: Column, lost: number, area: Rect, out: PlacedParts): void {
  if (lost <= 0) return;
  const x = column.x + column.width / 2;
  out.overflow.push({ x, y: area.y, count: lost, room: column.width });
}

/** Pixels above the base, and position in the row. */
export interface Spot {
  readonly up: number;
  readonly place: number;
}

/** Rising heights at which tokens do not overlap: pushed up by those below, and back down from the top. */
export function apart(
  parts: readonly number[],
  { size, gap }: Grid,
  height: number,
): readonly Spot[] {
  const most = height - size;
  const step = size + gap;
  const ups: number[] = [];
  for (const part of parts) ups.push(Math.max(part * most, (ups.at(-1) ?? -step) + step));
  for (let i = ups.length - 1, top = most; i >= 0; i--, top -= step)
    ups[i] = Math.min(ups[i] ?? 0, top);
  return ups.map((up) => ({ up, place: 0 }));
}

/** The row of each height; if it is full, the next row above with room, else the next below. */
export function inRows(
  parts: readonly number[],
  { size, gap, rows, across }: Grid,
): readonly Spot[] {
  const taken = new Uint16Array(rows);
  const hasRoom = (row: number) => (taken[row] ?? across) < across;
  return parts.map((part) => {
    const own = Math.min(rows - 1, Math.floor(part * rows));
    let row = own;
    while (row < rows && !hasRoom(row)) row += 1;
    if (row === rows) row = own;
    while (row > 0 && !hasRoom(row)) row -= 1;
    const place = taken[row] ?? 0;
    taken[row] = place + 1;
    return { up: row * (size + gap), place };
  });
}
