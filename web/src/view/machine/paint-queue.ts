/** Paints who waits, sleeps and has finished, and what found no room. */
import { count } from '../../lib/format';
import { fitText, type Pen, type Picture, setFont, widthOf } from './picture';
import type { Overflow, Placed } from './placed';
import { paintAxis } from './queues/paint-axis';
import { paintColumns } from './queues/paint-columns';
import { paintLadder } from './queues/paint-ladder';

/** Paints the queues, each in its form; threads come later, over all. */
export function paintStrips(p: Picture): void {
  for (const strip of p.scene.strips) {
    if (strip.kind === 'axis') paintAxis(p, strip);
    else if (strip.kind === 'ladder') paintLadder(p, strip, p.shape.beat);
    else paintColumns(p, strip);
  }
  paintStems(p, p.scene.placed);
}

/** From a token that others pushed on to where it belongs. */
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

/** Who sleeps and who has finished. */
export function paintTray(p: Picture): void {
  const { ctx, layout, theme, scene } = p;
  const { tray } = layout;
  const y = tray.y + tray.h / 2;
  setFont(p, 12);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  const { asleep, finished, dozing } = scene;
  const room = (finished > 0 ? tray.w / 2 : tray.w) - 14;
  // Where none of a row finds room, its word says how many there are.
  const word = (n: number, kind: 'sleep' | 'done', name: string) =>
    scene.placed.some((d) => d.kind === kind) ? name : `${count(n)} ${name}`;
  if (asleep > 0) fitText(ctx, word(asleep, 'sleep', 'asleep'), tray.x + 7, y, room);
  if (finished > 0) {
    const half = tray.w / 2;
    fitText(ctx, word(finished, 'done', 'finished'), tray.x + half, y, half);
  }
  const hasRoom = p.flows.length === 0 || tray.w > 330;
  if (dozing > 0 && asleep === 0 && hasRoom)
    fitText(
      ctx,
      `${count(dozing)} ${dozing === 1 ? 'daemon sleeps' : 'daemons sleep'}`,
      tray.x + 7,
      y,
      room,
    );
}

/** `+37` where a pile ends, on a ground of its own so that it stays readable; where that has no room, a peak. */
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

/** A pile goes on above; how many there are in all, the words above say. */
function paintPeak({ ctx, theme }: Pen, x: number, y: number, width: number): void {
  ctx.fillStyle = theme.ink;
  ctx.beginPath();
  ctx.moveTo(x - width / 2, y - 1);
  ctx.lineTo(x, y - 5);
  ctx.lineTo(x + width / 2, y - 1);
  ctx.closePath();
  ctx.fill();
}
