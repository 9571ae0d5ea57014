/** Paints who waits: the deadline axis, the trays, and what found no room. */
import { count, duration } from '../../lib/format';
import { ticks } from '../../lib/scale';
import { MS } from '../../lib/units';
import type { Axis } from './scene';
import { fitText, type Picture, setFont } from './picture';

/** The one queue of all CPUs: now at the left, each thread at its virtual deadline. */
export function paintAxis(p: Picture, axis: Axis): void {
  const { ctx, theme, frame } = p;
  const { rect } = axis;
  const right = rect.x + rect.w - 16;
  const px = rect.h >= 90 ? 13 : 12;
  setFont(p, px);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  const waiting = frame.queue().length;
  const words =
    waiting === 0
      ? 'one queue for all cpus: nobody waits'
      : `one queue for all cpus, by virtual deadline: ${count(waiting)} waiting`;
  fitText(ctx, words, rect.x + 7, rect.y + px * 0.9, rect.w - 14);
  // Deadlines that have passed lie left of now.
  ctx.fillStyle = theme.core;
  ctx.fillRect(rect.x, rect.y + px * 1.8, axis.nowX - rect.x, axis.y - rect.y - px * 1.8);
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  ctx.beginPath();
  ctx.moveTo(rect.x, axis.y + 0.5);
  ctx.lineTo(right, axis.y + 0.5);
  setFont(p, 11.5);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  for (const t of ticks(0, axis.spanNs / MS, Math.max(2, Math.floor(rect.w / 110)))) {
    if (t === 0) continue;
    const x = Math.round(axis.nowX + t * MS * axis.pxPerNs) + 0.5;
    ctx.moveTo(x, axis.y);
    ctx.lineTo(x, axis.y + 4);
    if (x < right - 18) ctx.fillText(`+${duration(t * MS)}`, x, axis.y + 12);
  }
  ctx.stroke();
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(axis.nowX, rect.y + px * 1.8);
  ctx.lineTo(axis.nowX, axis.y + 4);
  ctx.stroke();
  ctx.fillStyle = theme.accent;
  ctx.fillText('now', axis.nowX, axis.y + 12);
}

/** Beside a lane with one queue, a lane without one says so. */
export function paintNoAxis(p: Picture): void {
  const { axis } = p.layout;
  if (!axis) return;
  const px = axis.h >= 90 ? 13 : 12;
  setFont(p, px);
  p.ctx.fillStyle = p.theme.muted;
  p.ctx.textAlign = 'left';
  const n = p.frame.queue().length;
  const words = `a queue for each cpu: ${n === 0 ? 'nobody waits' : `${count(n)} waiting`}`;
  fitText(p.ctx, words, axis.x + 7, axis.y + px * 0.9, axis.w - 14);
}

/** Who sleeps and who has finished. */
export function paintTray(p: Picture): void {
  const { ctx, layout, theme, scene } = p;
  const { tray } = layout;
  const y = tray.y + tray.h / 2;
  setFont(p, 12);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  const sleeping = scene.placed.filter((d) => d.kind === 'sleep').length;
  const done = scene.placed.filter((d) => d.kind === 'done').length;
  if (sleeping > 0) fitText(ctx, 'asleep', tray.x + 7, y, 54);
  if (done > 0) fitText(ctx, 'finished', tray.x + tray.w / 2, y, 58);
  if (scene.dozing > 0 && sleeping === 0) {
    const words = `${count(scene.dozing)} background threads asleep`;
    fitText(ctx, words, tray.x + 7, y, (done > 0 ? tray.w / 2 : tray.w) - 14);
  }
}

/** `+37` where a pile ends. */
export function paintOverflow(p: Picture): void {
  const { ctx, theme, scene } = p;
  setFont(p, 12, 600);
  ctx.textAlign = 'right';
  ctx.fillStyle = theme.ink;
  for (const o of scene.overflow) ctx.fillText(`+${count(o.count)}`, o.x, o.y);
}
