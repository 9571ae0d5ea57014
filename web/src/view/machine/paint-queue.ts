/** Paints queues in their forms, and counts of threads that did not fit. */
import { count } from '../../lib/format';
import type { Beat } from '../../sim/types/Beat';
import { type Pen, setFont, widthOf } from './picture';
import type { Overflow, Placed } from './placed';
import { paintAxis } from './queues/paint-axis';
import { paintColumns } from './queues/paint-columns';
import { paintLadder } from './queues/paint-ladder';
import type { Strip } from './queues/strip';

/** Paints queues, each in its form; threads are painted later, above everything. */
export function paintStrips(
  p: Pen,
  strips: readonly Strip[],
  placed: readonly Placed[],
  beat: Beat | null,
): void {
  for (const strip of strips) {
    if (strip.kind === 'axis') paintAxis(p, strip);
    else if (strip.kind === 'ladder') paintLadder(p, strip, beat);
    else paintColumns(p, strip);
  }
  paintStems(p, placed);
}

/** A stem from a token that was pushed aside to its true place. */
export function paintStems(p: Pen, placed: readonly Placed[]): void {
  const { ctx, theme } = p;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.globalAlpha = 0.7;
  ctx.beginPath();
  for (const { stem, x, y } of placed) {
    if (stem === undefined) continue;
    ctx.moveTo(x, y);
    ctx.lineTo(stem.x, stem.y);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** `+37` at the end of a pile, with a background to stay readable; an arrow head if that does not fit. */
export function paintOverflow(p: Pen, overflow: readonly Overflow[]): void {
  const { ctx, theme } = p;
  setFont(p, 12, 600);
  ctx.textAlign = 'right';
  for (const o of overflow) {
    const text = `+${count(o.count)}`;
    const w = widthOf(ctx, text);
    if (o.room !== undefined && w > o.room - 2) {
      paintPeak(p, o.x - o.room / 2, o.y, Math.min(7, o.room));
      continue;
    }
    ctx.fillStyle = theme.paper;
    ctx.globalAlpha = 0.85;
    ctx.fillRect(o.x - w - 2, o.y - 7, w + 4, 14);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.ink;
    ctx.fillText(text, o.x, o.y);
  }
}

/** The pile goes on above; the words above give the total. */
function paintPeak({ ctx, theme }: Pen, x: number, y: number, width: number): void {
  ctx.fillStyle = theme.ink;
  ctx.beginPath();
  ctx.moveTo(x - width / 2, y - 1);
  ctx.lineTo(x, y - 5);
  ctx.lineTo(x + width / 2, y - 1);
  ctx.closePath();
  ctx.fill();
}
