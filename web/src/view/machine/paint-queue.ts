/** Paints who waits: the deadline axis, the trays, and what found no room. */
import { count, duration } from '../../lib/format';
import { ticks } from '../../lib/scale';
import { MS } from '../../lib/units';
import { type Axis, type Column, COLUMN_FOOT } from './scene';
import { TaskState } from '../../sim/frame';
import {
  fitText,
  hueOf,
  isBackground,
  type Picture,
  roundRect,
  setFont,
  shortName,
  widthOf,
} from './picture';

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
      ? 'one queue: nobody waits (outlined: running)'
      : `one queue, by virtual deadline: ${count(waiting)} waiting`;
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
  if (waiting === 0) paintGhosts(p, axis);
  paintStems(p, axis);
}

/** From a token that the pile pushed on to where its deadline really is. */
function paintStems(p: Picture, axis: Axis): void {
  const { ctx, theme } = p;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const { trueX, x, y, size } of p.scene.placed) {
    if (trueX === undefined) continue;
    ctx.moveTo(x, y + size / 2);
    ctx.lineTo(trueX, axis.y);
  }
  ctx.stroke();
}

/** Deadlines of the running threads, as outlines: whom a waking thread is compared with. */
function paintGhosts(p: Picture, axis: Axis): void {
  const { ctx, frame } = p;
  const deadlines = frame.taskIfAny('deadlineNs');
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
  // Small enough that those with nearly the same deadline can stand on each other.
  const height = axis.y - axis.rect.y - 24;
  const crowd = Math.max(
    1,
    ...ghosts.map((g) => ghosts.filter((o) => Math.abs(o.x - g.x) < 20).length),
  );
  const size = Math.min(22, Math.max(7, height / crowd - 2));
  // A crowd that finds no room stands closer, one over the other.
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
    ctx.fillText(shortName(p.names.tasks[task] ?? ''), x, y + 0.5);
  });
  ctx.globalAlpha = 1;
}

/** A queue for each CPU: a column with its number, siblings side by side. */
export function paintColumns(p: Picture, columns: readonly Column[]): void {
  const { ctx, theme } = p;
  const { queue } = p.layout;
  const px = queue.h >= 90 ? 13 : 12;
  setFont(p, px);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  const n = p.frame.queue().length;
  const words = `a queue for each cpu: ${n === 0 ? 'nobody waits' : `${count(n)} waiting`}`;
  fitText(ctx, words, queue.x + 7, queue.y + px * 0.9, queue.w - 14);
  const y = queue.y + queue.h - COLUMN_FOOT + 1.5;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.textAlign = 'center';
  setFont(p, 11.5);
  // Where numbers would touch each other, only some of the columns are named.
  const widest = widthOf(ctx, String(Math.max(0, columns.length - 1))) + 5;
  const some = Math.ceil(widest / Math.max(1, columns[0]?.width ?? 1));
  // Then whole cores are left out, so that the numbers that stay run on.
  const threads = Math.max(1, ...p.tree.thread.map((t) => t + 1));
  const every = some <= 1 ? 1 : Math.ceil(some / threads) * threads;
  ctx.beginPath();
  columns.forEach(({ cpu, x, width }, i) => {
    const half = Math.max(0.5, width / 2 - (width > 12 ? 3 : width > 5 ? 1 : 0.25));
    ctx.moveTo(x - half, y);
    ctx.lineTo(x + half, y);
    if (i % every !== 0) return;
    const own = widthOf(ctx, String(cpu)) / 2;
    const at = Math.min(Math.max(x, queue.x + own), queue.x + queue.w - own);
    ctx.fillText(String(cpu), at, y + 8);
  });
  ctx.stroke();
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
  const hasRoom = p.flows.length === 0 || tray.w > 330;
  if (scene.dozing > 0 && sleeping === 0 && hasRoom) {
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
