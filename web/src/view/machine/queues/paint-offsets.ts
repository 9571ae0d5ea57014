/** Paints the offset that a CPU's distance adds to the deadlines of waiting threads, on their axis. */
import type { QueueDetail } from '../../../sim/types/QueueDetail';
import type { Pen } from '../picture';
import type { Axis } from './axis';

/** From each deadline to its effective one for the picking CPU; a cross if the thread may not run there. */
export function paintOffsets(p: Pen, axis: Axis, detail: QueueDetail): void {
  const { ctx, theme, frame } = p;
  const keys = new Map(frame.queue().map((row) => [row.task, row.key]));
  const limit = axis.rect.x + axis.rect.w - 6;
  ctx.lineWidth = 2;
  ctx.strokeStyle = theme.of('--cause-remote');
  ctx.beginPath();
  for (const { task, offsetNs, allowed } of detail.weighed) {
    const key = keys.get(task);
    if (key === undefined) continue;
    const x = Math.max(axis.rect.x + 3, axis.nowX + (key - frame.nowNs) * axis.pxPerNs);
    const y = axis.y - 2;
    if (!allowed) {
      ctx.moveTo(x - 3, y - 3);
      ctx.lineTo(x + 3, y + 3);
      ctx.moveTo(x + 3, y - 3);
      ctx.lineTo(x - 3, y + 3);
    } else if (offsetNs > 0) {
      const to = Math.min(limit, x + Math.max(3, offsetNs * axis.pxPerNs));
      ctx.moveTo(x, y);
      ctx.lineTo(to, y);
      ctx.moveTo(to, y - 4);
      ctx.lineTo(to, y + 4);
    }
  }
  ctx.stroke();
  ctx.lineWidth = 1;
}
