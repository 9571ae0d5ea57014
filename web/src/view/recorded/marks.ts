/** Marks of disagreements on the timeline of a recorded lane: a triangle at the top of the CPU's row. */
import type { Disagreement } from '../../sim/trace-file/protocol';
import { type Axis, LABEL_WIDTH, xOf } from '../timeline/axis';
import type { Rows } from '../timeline/rows';
import type { Box } from '../timeline/tab';

/** Half of a mark's width, and how far from it a pointer may be, in CSS pixels. */
const HALF = 5;
const NEAR = 8;

const isSeen = ({ fromNs, toNs }: Axis, { atNs }: Disagreement) => atNs >= fromNs && atNs <= toNs;

/** Paints the marks in view. */
export function paintMarks(box: Box, rows: Rows, all: readonly Disagreement[]): void {
  const { ctx, theme } = box;
  for (const one of all) {
    if (!isSeen(box, one)) continue;
    const x = xOf(box, one.atNs);
    const y = rows.top[one.cpu] ?? 0;
    if (x < LABEL_WIDTH) continue;
    ctx.beginPath();
    ctx.moveTo(x - HALF, y);
    ctx.lineTo(x + HALF, y);
    ctx.lineTo(x, y + Math.min(rows.height, 2 * HALF));
    ctx.closePath();
    ctx.fillStyle = one.near ? theme.paper : theme.accent;
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 1.5;
    ctx.fill();
    ctx.stroke();
  }
}

/** The mark at a place, by its place in the list; -1 if there is none. */
export function markAt(
  axis: Axis,
  rows: Rows,
  { x, y }: { readonly x: number; readonly y: number },
  all: readonly Disagreement[],
): number {
  let [best, distance] = [-1, NEAR];
  all.forEach((one, i) => {
    const top = rows.top[one.cpu] ?? 0;
    if (!isSeen(axis, one) || y < top - NEAR || y > top + Math.min(rows.height, 2 * NEAR)) return;
    const away = Math.abs(xOf(axis, one.atNs) - x);
    if (away <= distance) [best, distance] = [i, away];
  });
  return best;
}
