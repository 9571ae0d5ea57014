/** Arrows over slices: the moves of the selected thread, and the threads that woke it. */
import type { Theme } from '../../../../lib/color';
import type { Slice, Wake } from '../../../../sim/history';
import { type Axis, xOf } from '../../axis';
import type { Rows } from '../../rows';
import { firstAfter, type Slices } from '../../slices';
import type { TimelinePicture } from './paint';

/** Moves of the selected thread: from the end of a slice to the next slice on another CPU. */
export function paintMoves(p: TimelinePicture, slices: Slices, task: number): void {
  const own: { cpu: number; slice: Slice }[] = [];
  slices.forEach((list, cpu) => {
    for (let i = firstAfter(list, p.fromNs); i < list.length; i++) {
      const slice = list[i];
      if (!slice || slice.from > p.toNs) break;
      if (slice.task === task) own.push({ cpu, slice });
    }
  });
  own.sort((a, b) => a.slice.from - b.slice.from);
  p.ctx.strokeStyle = p.theme.ink;
  p.ctx.fillStyle = p.theme.ink;
  p.ctx.lineWidth = 1.2;
  for (let i = 1; i < own.length && i < 400; i++) {
    const [a, b] = [own[i - 1], own[i]];
    if (!a || !b || a.cpu === b.cpu) continue;
    arrow(p, xOf(p, a.slice.to), a.cpu, xOf(p, b.slice.from), b.cpu);
  }
}

/** An arrow from one row to another. */
function arrow(
  p: { readonly ctx: CanvasRenderingContext2D; readonly rows: Rows },
  x0: number,
  from: number,
  x1: number,
  to: number,
): void {
  const { ctx, rows } = p;
  const y0 = (rows.top[from] ?? 0) + rows.height / 2;
  const y1 = (rows.top[to] ?? 0) + (y0 > (rows.top[to] ?? 0) ? rows.height : 0);
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
  const angle = Math.atan2(y1 - y0, x1 - x0);
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  for (const side of [-0.4, 0.4])
    ctx.lineTo(x1 - 6 * Math.cos(angle + side), y1 - 6 * Math.sin(angle + side));
  ctx.fill();
}

/** From the thread that woke the selected one to the CPU where that then ran. */
export function paintWakes(
  p: Axis & {
    readonly ctx: CanvasRenderingContext2D;
    readonly theme: Theme;
    readonly rows: Rows;
  },
  wakes: readonly Wake[],
  slices: Slices,
  task: number,
): void {
  p.ctx.strokeStyle = p.theme.accent;
  p.ctx.fillStyle = p.theme.accent;
  p.ctx.lineWidth = 1;
  for (const wake of wakes) {
    if (wake.task !== task || wake.cpu < 0) continue;
    if (wake.atNs < p.fromNs || wake.atNs > p.toNs) continue;
    let cpu = -1;
    let from = Infinity;
    slices.forEach((list, c) => {
      for (let i = firstAfter(list, wake.atNs); i < list.length; i++) {
        const slice = list[i];
        if (!slice || slice.from >= from) break;
        if (slice.task !== task) continue;
        [cpu, from] = [c, slice.from];
      }
    });
    if (cpu >= 0) arrow(p, xOf(p, wake.atNs), wake.cpu, xOf(p, from), cpu);
  }
}
