/** Lines and areas over the axis of the timeline: waiting threads, shares, columns of the scheduler, causes. */
import { causeToken, type Theme } from '../../lib/color';
import { groupHue, hasOwnHues, taskHue } from '../../lib/thread-hues';
import { withUnit } from '../../lib/format';
import type { LaneNames } from '../../sim/protocol';
import type { Samples, Series } from '../../sim/samples';
import type { CauseEntry } from '../../sim/types/CauseEntry';
import type { MachineTree } from '../../sim/types/MachineTree';
import { type Axis, paintGround, xOf } from './paint';
import { type Pattern, PATTERN_OF, traceLines } from './pattern';
import { LABEL_WIDTH, rowsOf } from './rows';

/** What a chart paints with. */
export interface ChartPicture extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly samples: Samples;
  readonly names: LaneNames;
  readonly selected: number | null;
}

function clip(p: ChartPicture, paint: () => void): void {
  const { ctx } = p;
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, p.width - LABEL_WIDTH, p.height);
  ctx.clip();
  paint();
  ctx.restore();
}

function scale(p: ChartPicture, top: string, bottom: string): void {
  const { ctx, theme } = p;
  ctx.fillStyle = theme.muted;
  ctx.font = `9px ${theme.sans}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'top';
  ctx.fillText(top, LABEL_WIDTH - 3, 0);
  ctx.textBaseline = 'bottom';
  ctx.fillText(bottom, LABEL_WIDTH - 3, p.height);
}

/** Part of the height that the one queue of all has above those of the CPUs, where both are in use. */
const ABOVE = 0.45;

/**
 * How many threads wait: in the one queue of all, which is as high as it is long, and at each CPU in a row of its
 * own, the darker the more. Where a scheduler has both, rows are shown when somebody waits there, who may not run
 * everywhere.
 */
export function paintWaiting(
  p: ChartPicture,
  tree: MachineTree,
  has: { readonly global: boolean; readonly perCpu: boolean },
): void {
  const { ctx, samples } = p;
  const all = has.global ? samples.waiting(-1) : null;
  const lists = has.perCpu ? tree.core.map((_, cpu) => samples.waiting(cpu)) : [];
  const isBoth = all !== null && lists.some((list) => list.some((n) => n > 0));
  const top = all === null ? 0 : isBoth ? p.height * ABOVE : p.height;
  ctx.clearRect(0, 0, p.width, p.height);
  if (all !== null) {
    const most = Math.max(1, ...all.filter(Number.isFinite));
    clip(p, () => {
      paintLengths(p, all, most, (n) => ({ y: top * (1 - n / most), h: (top * n) / most }));
    });
    scale({ ...p, height: top }, String(most), '0');
  }
  if (all !== null && !isBoth) return;
  const rows = rowsOf(tree, p.height - top - (isBoth ? 3 : 0));
  const most = lists.reduce((m, list) => list.reduce((x, n) => Math.max(x, n), m), 1);
  ctx.save();
  ctx.translate(0, p.height - (rows.top[rows.order.at(-1) ?? 0] ?? 0) - rows.height);
  paintGround({ ...p, rows });
  clip(p, () => {
    lists.forEach((list, cpu) => {
      const row = { y: rows.top[cpu] ?? 0, h: rows.height };
      paintLengths(p, list, most, () => row);
    });
  });
  ctx.restore();
}

/** Paints the lengths of a queue over time. */
function paintLengths(
  p: ChartPicture,
  list: readonly number[],
  most: number,
  at: (n: number) => { readonly y: number; readonly h: number },
): void {
  const { ctx, theme, samples } = p;
  ctx.fillStyle = theme.accent;
  list.forEach((n, i) => {
    if (!(n > 0)) return;
    const x0 = xOf(p, samples.times[i] ?? 0);
    const x1 = xOf(p, samples.times[i + 1] ?? p.toNs);
    ctx.globalAlpha = 0.12 + 0.88 * Math.sqrt(n / most);
    const { y, h } = at(n);
    ctx.fillRect(x0, y, Math.max(0.5, x1 - x0 + 0.3), h);
  });
  ctx.globalAlpha = 1;
}

function area(
  p: ChartPicture,
  series: readonly Series[],
  colours: readonly string[],
  most: number,
  patterns: readonly (Pattern | undefined)[] = [],
): void {
  const { ctx, height } = p;
  const below = new Float64Array(series[0]?.values.length ?? 0);
  series.forEach((s, k) => {
    ctx.fillStyle = colours[k] ?? p.theme.muted;
    ctx.beginPath();
    const line = (i: number, values: (i: number) => number) => {
      const y = height - (values(i) / most) * height;
      return [xOf(p, s.times[i] ?? 0), xOf(p, s.times[i + 1] ?? 0), y] as const;
    };
    for (let i = 0; i < s.values.length; i++) {
      const [x0, x1, y] = line(i, (j) => (below[j] ?? 0) + (s.values[j] ?? 0));
      ctx.lineTo(x0, y);
      ctx.lineTo(x1, y);
    }
    for (let i = s.values.length - 1; i >= 0; i--) {
      const [x0, x1, y] = line(i, (j) => below[j] ?? 0);
      ctx.lineTo(x1, y);
      ctx.lineTo(x0, y);
    }
    ctx.fill();
    const pattern = patterns[k];
    if (pattern) {
      ctx.save();
      ctx.clip();
      ctx.strokeStyle = p.theme.paper;
      ctx.lineWidth = 1;
      traceLines(ctx, pattern, { x: LABEL_WIDTH, y: 0, w: p.width - LABEL_WIDTH, h: height });
      ctx.stroke();
      ctx.restore();
    }
    s.values.forEach((v, i) => {
      below[i] = (below[i] ?? 0) + v;
    });
  });
}

/** CPUs that each group has, or each thread where each has its hue; of a selected thread and its group, each one's part of a CPU. */
export function paintShares(p: ChartPicture, cpus: number): void {
  const { ctx, theme, samples, names } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  clip(p, () => {
    if (p.selected === null) {
      if (hasOwnHues(names) && samples.tasks.length > 0) {
        area(
          p,
          samples.tasks.map((t) => samples.taskShare(t)),
          samples.tasks.map((t) => theme.of(taskHue(names, t).fill)),
          cpus,
        );
        return;
      }
      const colours = names.groups.map((_, i) => theme.of(groupHue(names, i).fill));
      area(
        p,
        names.groups.map((_, g) => samples.groupShare(g)),
        colours,
        cpus,
      );
      return;
    }
    lines(
      p,
      samples.tasks.map((t) => samples.taskShare(t)),
      0,
      1,
      true,
    );
  });
  scale(p, p.selected === null ? String(cpus) : '1', '0');
}

/** A column of the scheduler for the threads asked for. */
export function paintValues(p: ChartPicture, column: number, unit: string): void {
  const { ctx, samples } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  const series = samples.tasks.map((t) => ({
    times: samples.times,
    values: samples.own(t, column),
  }));
  const all = series.flatMap((s) => s.values).filter((v) => Number.isFinite(v));
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  if (all.length === 0) {
    note(p, 'nothing of this kind here', p.height / 2);
    return;
  }
  const room = (high - low) * 0.05 || 1;
  clip(p, () => {
    lines(p, series, low - room, high + room, false);
  });
  note(p, withUnit(high, unit), 7);
  note(p, withUnit(low, unit), p.height - 7);
}

/** A few words on the ground of the paper, so that lines do not cross them. */
function note(p: ChartPicture, text: string, y: number): void {
  const { ctx, theme } = p;
  ctx.font = `10px ${theme.sans}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.paper;
  ctx.globalAlpha = 0.8;
  ctx.fillRect(LABEL_WIDTH, y - 6, ctx.measureText(text).width + 6, 12);
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.muted;
  ctx.fillText(text, LABEL_WIDTH + 3, y);
}

function lines(
  p: ChartPicture,
  series: readonly Series[],
  low: number,
  high: number,
  steps: boolean,
): void {
  const { ctx, theme, samples, names } = p;
  const order = series.map((_, i) => i).sort((a) => (samples.tasks[a] === p.selected ? 1 : -1));
  for (const k of order) {
    const s = series[k];
    const task = samples.tasks[k] ?? -1;
    if (!s) continue;
    const isIt = task === p.selected;
    ctx.globalAlpha = p.selected === null || isIt ? 1 : 0.3;
    ctx.lineWidth = isIt ? 2.2 : 1.1;
    ctx.strokeStyle = isIt ? theme.ink : theme.of(taskHue(names, task).fill);
    ctx.beginPath();
    s.values.forEach((v, i) => {
      if (!Number.isFinite(v)) return;
      const y = p.height - ((v - low) / (high - low)) * p.height;
      ctx.lineTo(xOf(p, s.times[i] ?? 0), y);
      // A total between two times is their mean; a state holds until the next one.
      if (steps) ctx.lineTo(xOf(p, s.times[i + 1] ?? 0), y);
    });
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

/** Where the time on a CPU goes: of the selected thread, else of the whole workload. */
export function paintSpeed(p: ChartPicture, causes: readonly CauseEntry[]): void {
  const { ctx, theme, samples, names } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  const own = p.selected === null ? groupHue(names, 0) : taskHue(names, p.selected);
  const colours = causes.map((c) => theme.of(causeToken(c.id) ?? own.fill));
  clip(p, () => {
    area(
      p,
      causes.map((_, i) => samples.causeShare(i, p.selected)),
      colours,
      1,
      causes.map((c) => PATTERN_OF[c.id]),
    );
  });
  scale(p, '100', '0 %');
}
