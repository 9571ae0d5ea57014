/** Paints the queues of the CPUs: their numbers, their axes or rings, and the brackets of the domains. */
import { duration } from '../../../lib/format';
import type { MachineTree } from '../../../sim/types/MachineTree';
import { queueOf } from '../../schedulers/folder';
import { fitOne, type Pen, setFont, widthOf } from '../picture';
import type { Bracket, Columns } from './columns';
import { originOf, tellWaiting } from './input';
import { paintRing } from './paint-ring';

/** Words above the queues, the longest first; none while no thread waits. */
export function wordsOf(all: Columns, scheduler: string): readonly [string, ...string[]] {
  const n = all.waiting;
  const who = n === 0 ? '' : tellWaiting(n, all.lost);
  const and = n === 0 ? '' : `: ${who}`;
  switch (all.form) {
    case 'tree': {
      const { order } = queueOf(scheduler);
      const by = order === undefined ? '' : `, by ${order}`;
      return [
        `a tree for each cpu${by} (top: ${duration(all.spanNs)} ahead of ${originOf(scheduler)})${and}`,
        `a tree for each cpu (top: ${duration(all.spanNs)})${and}`,
        who,
      ];
    }
    case 'virtualTime':
      return [
        `virtual time of each cpu around its average V: below it who may run, above it who must wait${and}`,
        `virtual time of each cpu around V${and}`,
        who,
      ];
    case 'ring':
      return [
        `a calendar for each cpu, served from the red hand on${and}`,
        `a calendar for each cpu${and}`,
        who,
      ];
    case 'list':
      return [`a queue for each cpu${and}`, who];
  }
}

/** Paints the changing parts of all queues' ground; the threads are painted above it. */
export function paintColumns(p: Pen, all: Columns): void {
  const { ctx, theme } = p;
  const { rect } = all;
  setFont(p, rect.h >= 90 ? 13 : 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  fitOne(ctx, wordsOf(all, p.scheduler), rect.x + 7, rect.y + 11, rect.w - 14);
  if (all.form === 'virtualTime') paintAverage(p, all);
  for (const ring of all.rings) paintRing(p, ring);
  for (const bracket of all.brackets) paintBracket(p, bracket);
}

/** V of each queue that is not empty. */
function paintAverage(p: Pen, all: Columns): void {
  const { ctx, theme } = p;
  const y = Math.round(all.base - all.averageUp) + 0.5;
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 1.25;
  ctx.beginPath();
  for (const { x, width, count } of all.columns) {
    if (count === 0) continue;
    const half = Math.max(1, width / 2 - 3);
    ctx.moveTo(x - half, y);
    ctx.lineTo(x + half, y);
  }
  ctx.stroke();
}

/** The constant parts: a line under each queue, the number of its CPU, and the mark of the selected CPU. */
export function paintFeet(p: Pen, all: Columns, tree: MachineTree): void {
  const { ctx, theme } = p;
  const { columns, rect, form } = all;
  const y = all.base + 1.5;
  ctx.lineWidth = 1;
  ctx.textAlign = 'center';
  setFont(p, 12);
  // If numbers would touch each other, only some of the columns are numbered.
  const widest = widthOf(ctx, String(Math.max(0, columns.length - 1))) + 5;
  const some = Math.ceil(widest / Math.max(1, columns[0]?.width ?? 1));
  // Then whole cores are left out, so that the remaining numbers are consecutive.
  const threads = Math.max(1, ...tree.thread.map((t) => t + 1));
  const every = some <= 1 ? 1 : Math.ceil(some / threads) * threads;
  ctx.strokeStyle = form === 'tree' ? theme.accent : theme.edge;
  ctx.fillStyle = theme.muted;
  ctx.beginPath();
  columns.forEach(({ cpu, x, width }, i) => {
    const half = Math.max(0.5, width / 2 - (width > 12 ? 3 : width > 5 ? 1 : 0.25));
    ctx.moveTo(x - half, y);
    ctx.lineTo(x + half, y);
    if (i % every !== 0) return;
    const own = widthOf(ctx, String(cpu)) / 2;
    const at = Math.min(Math.max(x, rect.x + own), rect.x + rect.w - own);
    ctx.fillText(String(cpu), at, y + 8);
  });
  ctx.stroke();
  const chosen = columns.find((c) => c.cpu === p.selectedCpu);
  if (!chosen) return;
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 2;
  ctx.strokeRect(
    chosen.x - chosen.width / 2 + 1,
    rect.y + 20,
    chosen.width - 2,
    all.base - rect.y - 3,
  );
}

/** A domain; it is highlighted for a moment after one of its CPUs balanced it. */
function paintBracket(p: Pen, { domain, y, spans }: Bracket): void {
  const { ctx, theme, frame } = p;
  const { balanced } = queueOf(p.scheduler);
  const last =
    balanced === undefined
      ? null
      : frame.cpuIfAny(balanced.replace('{level}', String(domain.level)));
  const glow = Math.max(2e6, p.speed * 0.35);
  const newest = Math.max(0, ...domain.cpus.map((cpu) => last?.[cpu] ?? 0));
  const age = frame.nowNs - newest;
  const isLit = newest > 0 && age < glow;
  ctx.strokeStyle = isLit ? theme.of('--reason-balance') : theme.edge;
  ctx.lineWidth = isLit ? 3.5 : 1;
  ctx.beginPath();
  for (const [from, to] of spans) {
    ctx.moveTo(from, y + 2);
    ctx.lineTo(to, y + 2);
  }
  ctx.stroke();
}
