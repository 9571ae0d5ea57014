/** Threads of queue columns along an axis: of the tree's key, or of virtual time around V. */
import type { Rect } from '../../../lib/geom';
import type { QueueRow } from '../../../sim/frame';
import { BACKGROUND_SCALE, type PlacedParts } from '../placed';
import type { Column, Columns, Lists } from './columns';
import { apart, type Grid, gridOf, inRows, tellLost } from './grid';
import type { QueueInput } from './input';

const inOrder = (list: readonly QueueRow[]) => [...list].sort((a, b) => a.key - b.key);

/** Each thread stands as high above the tree's zero as it is ahead of it, as closely as there is room. */
export function alongKeys(
  all: Columns,
  lists: Lists,
  area: Rect,
  input: QueueInput,
  out: PlacedParts,
): void {
  const grid = gridOf(all.columns, area);
  for (const column of all.columns) {
    const sorted = inOrder(lists.get(column.cpu) ?? []);
    const list = sorted.slice(0, grid.rows * grid.across);
    const side = { fromNs: all.fromNs, spanNs: all.spanNs, up: 0, height: area.h };
    alongSide(all, column, list, grid, side, input, out);
    tellLost(column, sorted.length - list.length, area, out);
  }
}

/**
 * The same around V. There is room for all threads on both sides, and none is pushed across V: eligible threads stand
 * below it; hollow ones above it must wait. Returns the pixels from the base to V.
 */
export function aroundAverage(
  all: Columns,
  lists: Lists,
  area: Rect,
  input: QueueInput,
  out: PlacedParts,
): number {
  const halves = all.columns.map((column) => {
    const sorted = inOrder(lists.get(column.cpu) ?? []);
    const owed = sorted.filter(({ key }) => !(key > 0));
    return { column, owed, ahead: sorted.slice(owed.length) };
  });
  const most = (of: 'owed' | 'ahead') => Math.max(0, ...halves.map((half) => half[of].length));
  // The last row of each side is filled separately.
  const grid = gridOf(all.columns, area, [most('owed'), most('ahead')]);
  const { size, gap, across } = grid;
  const heightOf = (of: 'owed' | 'ahead') => Math.ceil(most(of) / across) * (size + gap);
  const [below, above] = [heightOf('owed'), heightOf('ahead')];
  const wanted = Math.max(below, (-all.fromNs / all.spanNs) * area.h);
  // If not all fit, both sides lose the same part.
  const average =
    below + above > area.h ? (area.h * below) / (below + above) : Math.min(area.h - above, wanted);
  const sides = {
    owed: { fromNs: all.fromNs, spanNs: -all.fromNs, up: 0, height: average },
    ahead: { fromNs: 0, spanNs: all.fromNs + all.spanNs, up: average, height: area.h - average },
  };
  for (const { column, ...of } of halves) {
    let lost = 0;
    for (const name of ['owed', 'ahead'] as const) {
      const side = sides[name];
      const rows = Math.max(0, Math.floor((side.height + gap + 0.01) / (size + gap)));
      const list = of[name].slice(0, rows * across);
      lost += of[name].length - list.length;
      const kind = name === 'ahead' ? 'ahead' : 'queue';
      alongSide(all, column, list, { ...grid, rows }, { ...side, kind }, input, out);
    }
    tellLost(column, lost, area, out);
  }
  return average;
}

/**
 * A part of an axis: the value at its foot, the ns from there to its end, the pixels from the base to its foot, its
 * height.
 */
interface Side {
  readonly fromNs: number;
  readonly spanNs: number;
  readonly up: number;
  readonly height: number;
  readonly kind?: 'queue' | 'ahead';
}

/** Places threads in rising order on a part of a column's axis. */
function alongSide(
  all: Columns,
  column: Column,
  list: readonly QueueRow[],
  grid: Grid,
  side: Side,
  input: QueueInput,
  out: PlacedParts,
): void {
  const { size, across } = grid;
  const parts = list.map((row) =>
    Number.isFinite(row.key) ? Math.min(1, Math.max(0, (row.key - side.fromNs) / side.spanNs)) : 0,
  );
  const spots = across === 1 ? apart(parts, grid, side.height) : inRows(parts, grid);
  list.forEach((row, i) => {
    const { up, place } = spots[i] ?? { up: 0, place: 0 };
    out.placed.push({
      task: row.task,
      kind: side.kind ?? 'queue',
      cpu: column.cpu,
      x: column.x + (place - (across - 1) / 2) * (size + 1),
      y: all.base - size / 2 - side.up - up,
      size: input.isBackground(row.task) ? size * BACKGROUND_SCALE : size,
    });
  });
}
