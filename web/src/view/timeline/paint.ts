/** Paints who ran where: one row per CPU, siblings side by side, single slices or stretches. */
import type { Theme } from '../../lib/color';
import { taskHue } from '../../lib/thread-hues';
import type { Slice, Wake } from '../../sim/history';
import type { LaneNames } from '../../sim/protocol';
import type { Slices } from './feed.svelte';
import { type Pattern, PATTERN_OF, traceLines } from './pattern';
import { LABEL_WIDTH, type Rows } from './rows';
import type { Picture as StretchPicture } from './stretches';

/** The axis of a timeline. */
export interface Axis {
  readonly fromNs: number;
  readonly toNs: number;
  /** Width of the whole canvas; the rows begin at `LABEL_WIDTH`. */
  readonly width: number;
  readonly height: number;
  /** For a hall: large letters, or none. */
  readonly isLarge?: boolean;
}

/** Sizes of the numbers of rows and slices, and of the names of groups of rows. */
const LETTERS = { most: 12, row: 8, slice: 8.5, group: 12 };
const LARGE_LETTERS = { most: 22, row: 20, slice: 20, group: 20 };

/** Where a time is. */
export function xOf(axis: Axis, ns: number): number {
  return (
    LABEL_WIDTH + ((ns - axis.fromNs) / (axis.toNs - axis.fromNs)) * (axis.width - LABEL_WIDTH)
  );
}

/** The time at a place. */
export function nsAt(axis: Axis, x: number): number {
  return axis.fromNs + ((x - LABEL_WIDTH) / (axis.width - LABEL_WIDTH)) * (axis.toNs - axis.fromNs);
}

/** A picture of a timeline. */
export interface TimelinePicture extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly nowNs: number;
  readonly rows: Rows;
  readonly names: LaneNames;
  readonly selected: number | null;
  readonly hovered: number | null;
  /** Single slices, if these are known for the window. */
  readonly slices: Slices | null;
  /** Before this nothing is known of them. */
  readonly knownFrom: number;
  /** Else stretches, painted already. */
  readonly stretches: StretchPicture | null;
}

/** Position of the first slice that ends after a time. */
export function firstAfter(slices: readonly Slice[], ns: number): number {
  let low = 0;
  let high = slices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slices[middle]?.to ?? Infinity) <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Digits stand higher than the middle of their line, by so much of their size. */
const DIGITS = 0.1;

/** The ground of the rows, and their labels. */
export function paintGround(p: {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly width: number;
  readonly rows: Rows;
  readonly isLarge?: boolean;
}): void {
  const { ctx, theme, width, rows } = p;
  const letters = p.isLarge ? LARGE_LETTERS : LETTERS;
  const px = Math.min(letters.most, rows.height * 1.05);
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.core;
  for (const cpu of rows.order)
    ctx.fillRect(LABEL_WIDTH, rows.top[cpu] ?? 0, width - LABEL_WIDTH, rows.height);
  ctx.fillStyle = theme.muted;
  if (px >= letters.row) {
    ctx.font = `${px.toFixed(1)}px ${theme.sans}`;
    ctx.textAlign = 'right';
    for (const cpu of rows.order)
      ctx.fillText(
        String(cpu),
        LABEL_WIDTH - 6,
        (rows.top[cpu] ?? 0) + rows.height / 2 + px * DIGITS,
      );
    return;
  }
  // Where single rows are too low for their numbers, the groups that they belong to have names: as many as fit.
  const [first, second] = rows.marks;
  const step = first && second ? second.y - first.y : Infinity;
  const size = letters.group;
  const every = Math.ceil((size + 1) / step);
  ctx.font = `${size.toFixed(1)}px ${theme.sans}`;
  ctx.textAlign = 'left';
  rows.marks.forEach((mark, i) => {
    if (i % every !== 0) return;
    const name = mark.name.replace('node ', 'n');
    const isWide = ctx.measureText(name).width > LABEL_WIDTH;
    ctx.fillText(isWide ? name.replace(/^\D+/, '') : name, 0, mark.y + size / 2 + 0.5);
  });
}

/** Paints everything. */
export function paintTimeline(p: TimelinePicture): void {
  const { ctx, width, height, rows } = p;
  ctx.clearRect(0, 0, width, height);
  paintGround(p);
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, width - LABEL_WIDTH, height);
  ctx.clip();
  if (p.slices) {
    const looks: Looks = new Map();
    for (const cpu of rows.order) paintRow(p, p.slices[cpu] ?? [], rows.top[cpu] ?? 0, looks);
    if (p.selected !== null) paintMoves(p, p.slices, p.selected);
  } else if (p.stretches) paintStretches(p, p.stretches);
  if (p.knownFrom > p.fromNs) paintUnknown(p);
  ctx.restore();
}

function paintStretches(p: TimelinePicture, s: StretchPicture): void {
  const { ctx, rows } = p;
  const x0 = xOf(p, s.fromNs);
  const x1 = xOf(p, s.fromNs + s.lengthNs * s.count);
  ctx.imageSmoothingEnabled = false;
  for (const cpu of rows.order) {
    ctx.drawImage(
      s.canvas,
      0,
      cpu * s.levels,
      s.count,
      s.levels,
      x0,
      rows.top[cpu] ?? 0,
      x1 - x0,
      rows.height,
    );
  }
}

/** What lies before the records that are kept is not empty but unknown: it is struck through. */
function paintUnknown(p: TimelinePicture): void {
  const { ctx, theme, height } = p;
  const width = Math.max(0, xOf(p, Math.min(p.knownFrom, p.toNs)) - LABEL_WIDTH);
  ctx.strokeStyle = theme.hair;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = LABEL_WIDTH - height; x < LABEL_WIDTH + width; x += 7) {
    ctx.moveTo(x, height);
    ctx.lineTo(x + height, 0);
  }
  ctx.stroke();
}

/** What slices of a thread look like. */
interface Look {
  readonly isDaemon: boolean;
  readonly fill: string;
  readonly rim: string;
  readonly words: string;
}

/** Looks by thread, found when they are asked for first. */
type Looks = Map<number, Look>;

function lookOf({ names, theme, selected }: TimelinePicture, looks: Looks, task: number): Look {
  let look = looks.get(task);
  if (!look) {
    const hue = taskHue(names, task, selected);
    const fill = theme.of(hue.fill);
    const isDaemon = names.groups[names.taskGroup[task] ?? -1]?.background === true;
    looks.set(task, (look = { isDaemon, fill, rim: theme.of(hue.rim), words: theme.on(fill) }));
  }
  return look;
}

function paintRow(p: TimelinePicture, slices: readonly Slice[], y: number, looks: Looks): void {
  const { ctx, theme, fromNs, toNs, names } = p;
  const h = p.rows.height;
  const known = Math.max(fromNs, p.knownFrom);
  const pointed = p.selected ?? p.hovered;
  ctx.textAlign = 'left';
  const letters = p.isLarge ? LARGE_LETTERS : LETTERS;
  const px = Math.min(letters.most, h * 0.95);
  const hasNumbers = px >= letters.slice;
  if (hasNumbers) ctx.font = `${px.toFixed(1)}px ${theme.sans}`;
  let painted = Number.NEGATIVE_INFINITY;
  for (let i = firstAfter(slices, known); i < slices.length; i++) {
    const slice = slices[i];
    if (!slice || slice.from >= toNs) break;
    if (slice.task < 0) continue;
    const x0 = xOf(p, Math.max(slice.from, known));
    const x1 = xOf(p, Math.min(slice.to, Math.max(p.nowNs, slice.from), toNs));
    // What lies within a pixel that is painted already would only be painted over.
    if (x1 < painted + 0.5 && x1 - x0 < 0.75) continue;
    painted = Math.max(x1, x0 + 0.75);
    const look = lookOf(p, looks, slice.task);
    const { isDaemon } = look;
    if (pointed !== null) ctx.globalAlpha = pointed !== slice.task ? 0.28 : 1;
    ctx.fillStyle = look.fill;
    // Background threads are thinner: not only their colour tells them apart.
    const inset = isDaemon ? h * 0.25 : 0;
    const w = Math.max(0.75, x1 - x0);
    ctx.fillRect(x0, y + inset, w, h - 2 * inset);
    if (h >= 6 && !isDaemon) {
      // Pale hues have an edge on the ground, too.
      ctx.fillStyle = look.rim;
      ctx.fillRect(x0, y + h - 1, w, 1);
    }
    if (w > 4 && slice.from > fromNs) {
      // A switch: a cut in the colour of the ground.
      ctx.fillStyle = theme.paper;
      ctx.fillRect(x0, y, 1, h);
      paintCost(p, slice, x1, y);
    }
    if (hasNumbers && !isDaemon && x1 - x0 > 26) {
      const name = names.tasks[slice.task] ?? '';
      ctx.fillStyle = look.words;
      ctx.fillText(name.slice(name.lastIndexOf('-') + 1), x0 + 5, y + h / 2 + h * DIGITS);
    }
  }
  ctx.globalAlpha = 1;
}

/** What a slice begins with: each kind of overhead in a pattern of its own, in the order in which it passes. */
function paintCost(p: TimelinePicture, { from, cost }: Slice, end: number, y: number): void {
  const { lockNs, switchNs, refillNs } = cost;
  // Most of them are too short to be seen.
  if (xOf(p, from + lockNs + switchNs + refillNs) - xOf(p, from) <= 2) return;
  let ns = from;
  let x = xOf(p, from) + 1;
  for (const [length, pattern] of [
    [lockNs, PATTERN_OF.lockWait],
    [switchNs, PATTERN_OF.switch],
    [refillNs, PATTERN_OF.warmUp],
  ] as const) {
    ns += length;
    const to = Math.min(end, xOf(p, ns));
    if (pattern && to - x > 1) {
      hatch(p, pattern, x, y, to - x);
      x = to;
    }
  }
}

/** Lines over the ground. */
function hatch(
  { ctx, theme, rows }: TimelinePicture,
  pattern: Pattern,
  x: number,
  y: number,
  w: number,
): void {
  const h = rows.height;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  ctx.fillStyle = theme.paper;
  ctx.fillRect(x, y, w, h);
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1;
  traceLines(ctx, pattern, { x, y, w, h });
  ctx.stroke();
  ctx.restore();
}

/** Where the selected thread went: from the end of a slice to the next one on another CPU. */
function paintMoves(p: TimelinePicture, slices: Slices, task: number): void {
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
export function arrow(
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

/** From whoever woke the selected thread to where it then ran. */
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
