/** How the threads of columns of queues stand: side by side and one upon the other, all of one size. */
import type { Rect } from '../../../lib/geom';
import { gapOf, type Out } from '../placed';
import type { Column } from './columns';

/** The longest queue, as one of few numbers: threads shall not change their size with every one that comes or goes. */
function longestOf(columns: readonly Column[]): number {
  const longest = columns.reduce((most, c) => Math.max(most, c.count), 1);
  const step = 2 ** Math.max(0, Math.floor(Math.log2(longest)) - 2);
  return Math.ceil(longest / step) * step;
}

/** How the tokens of all columns stand: their size, the rows that find room, and how many stand in a row. */
export interface Grid {
  readonly size: number;
  readonly gap: number;
  readonly rows: number;
  readonly across: number;
}

/** Smallest token: where hundreds of columns stand side by side, a dot. */
const DOT = 1.5;
/** Below this no number can be read: then rather smaller tokens in one pile than several in a row. */
const READABLE = 14;

/**
 * The largest tokens at which the longest queue finds room, side by side where a column is wide; `parts` of it begin a row
 * each.
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

/** As few in a row as there is room for. */
function fewest(grid: Grid, hasRoom: (grid: Grid) => boolean): number {
  for (let across = 1; across < grid.across; across++)
    if (hasRoom({ ...grid, across })) return across;
  return grid.across;
}

/** Says how many of a queue found no room above it. */
export function tellLost(column: Column, lost: number, area: Rect, out: Out): void {
  if (lost <= 0) return;
  const x = column.x + column.width / 2;
  out.overflow.push({ x, y: area.y, count: lost, room: column.width });
}

/** Pixels above the base, and place in the row. */
export interface Spot {
  readonly up: number;
  readonly place: number;
}

/** Heights in rising order at which tokens stand apart: pushed up by those below, and back down from the top. */
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

/** In the row of each height, else in the next above that has room, else in the next below. */
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
