/** Paints the axis of deadlines. */
import { labelsOf } from '../../../lib/thread-labels';
import { count, duration } from '../../../lib/format';
import { ticks } from '../../../lib/scale';
import { MS } from '../../../lib/units';
import { TaskState } from '../../../sim/frame';
import { fitOne, hueOf, isBackground, type Pen, roundRect, setFont, widthOf } from '../picture';
import type { Axis } from './axis';
import { deadlinesOf, tellWaiting } from './input';

/** The one global queue CPUs: now at the left, each thread at its virtual deadline. */
export function paintAxis(p: Pen, axis: Axis): void {
  const { ctx, theme } = p;
  const { rect } = axis;
  const right = rect.x + rect.w - 16;
  const px = rect.h >= 90 ? 13 : 12;
  setFont(p, px);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  const { waiting, late, lost } = axis;
  const past = late > 0 ? `, ${count(late)} past their deadline` : '';
  const who = tellWaiting(waiting, lost);
  const words =
    waiting === 0
      ? (['one queue, by virtual deadline', ''] as const)
      : ([
          `one queue, by virtual deadline: ${who}${past}`,
          `one queue, by virtual deadline: ${who}`,
          `one queue: ${who}${past}`,
          `one queue: ${who}`,
          who,
        ] as const);
  fitOne(ctx, words, rect.x + 7, rect.y + px * 0.9, rect.w - 14);
  // Deadlines that have passed lie left of now.
  ctx.fillStyle = theme.core;
  ctx.fillRect(rect.x, rect.y + px * 1.8, axis.nowX - rect.x, axis.y - rect.y - px * 1.8);
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  ctx.beginPath();
  ctx.moveTo(rect.x, axis.y + 0.5);
  ctx.lineTo(right, axis.y + 0.5);
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  const from = (rect.x - axis.nowX) / axis.pxPerNs / MS;
  for (const t of ticks(from, axis.spanNs / MS, Math.max(2, Math.floor(rect.w / 110)))) {
    if (t === 0) continue;
    const x = Math.round(axis.nowX + t * MS * axis.pxPerNs) + 0.5;
    ctx.moveTo(x, axis.y);
    ctx.lineTo(x, axis.y + 4);
    const text = `${t > 0 ? '+' : '−'}${duration(Math.abs(t) * MS)}`;
    const half = widthOf(ctx, text) / 2;
    const isFree = x - half >= rect.x && x + half <= right && Math.abs(x - axis.nowX) > half + 18;
    if (isFree) ctx.fillText(text, x, axis.y + 12);
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
  if (waiting === 0) paintGhosts(p, axis);
}

/** Deadlines of the running threads, as outlines: a waking thread is compared with them. */
function paintGhosts(p: Pen, axis: Axis): void {
  const { ctx, frame } = p;
  const deadlines = deadlinesOf(p);
  if (!deadlines) return;
  const state = frame.task('state');
  const ghosts: { task: number; x: number }[] = [];
  for (let task = 0; task < frame.tasks; task++) {
    const deadline = deadlines[task] ?? Number.NaN;
    if (state[task] !== TaskState.running || isBackground(p, task) || !Number.isFinite(deadline))
      continue;
    const x = axis.nowX + (deadline - frame.nowNs) * axis.pxPerNs;
    ghosts.push({ task, x: Math.max(axis.rect.x + 8, x) });
  }
  // Small enough that threads with nearly the same deadline can be stacked.
  const height = axis.y - axis.rect.y - 24;
  const crowd = Math.max(
    1,
    ...ghosts.map((g) => ghosts.filter((o) => Math.abs(o.x - g.x) < 20).length),
  );
  const size = Math.min(22, Math.max(7, height / crowd - 2));
  // If they do not fit they overlap.
  const step = Math.min(size + 2, Math.max(0, height - size) / Math.max(1, crowd - 1));
  ghosts.forEach(({ task, x }, i) => {
    const level = ghosts.slice(0, i).filter((o) => Math.abs(o.x - x) < 20).length;
    const y = axis.y - 4 - size / 2 - level * step;
    ctx.globalAlpha = p.selected !== null && p.selected !== task ? 0.25 : 0.8;
    ctx.strokeStyle = hueOf(p, task);
    ctx.lineWidth = 1.25;
    ctx.setLineDash([2.5, 2.5]);
    roundRect(ctx, { x: x - size / 2, y: y - size / 2, w: size, h: size }, size * 0.24);
    ctx.stroke();
    ctx.setLineDash([]);
    if (size < 10) return;
    setFont(p, size * 0.6);
    ctx.textAlign = 'center';
    ctx.fillStyle = p.theme.ink;
    ctx.fillText(labelsOf(p.names)[task] ?? '', x, y + 0.5);
  });
  ctx.globalAlpha = 1;
}
