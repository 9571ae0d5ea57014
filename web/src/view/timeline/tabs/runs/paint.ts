/** Paints which thread ran where: one row per CPU, siblings adjacent, single slices or totals of equal spans. */
import { labelsOf } from '../../../../lib/thread-labels';
import type { Theme } from '../../../../lib/color';
import type { Rect } from '../../../../lib/geom';
import { standsForOthers, taskHue } from '../../../../lib/thread-hues';
import type { Slice } from '../../../../sim/history';
import type { LaneNames } from '../../../../sim/protocol';
import { type Axis, LABEL_WIDTH, letterPx, xOf } from '../../axis';
import { digitsBelow, paintGround } from '../../ground';
import { type Pattern, PATTERN_OF, traceLines } from '../../pattern';
import type { Rows } from '../../rows';
import { firstAfter, type Slices } from '../../slices';
import { paintMoves } from './moves';
import type { Picture as StretchPicture } from './stretches';

/** A picture of a timeline. */
export interface TimelinePicture extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly nowNs: number;
  readonly rows: Rows;
  readonly names: LaneNames;
  readonly selected: number | null;
  readonly hovered: number | null;
  /** Single slices, if they are known for the window. */
  readonly slices: Slices | null;
  /** Time from which they are known. */
  readonly knownFrom: number;
  /** Otherwise the image of totals of equal spans. */
  readonly stretches: StretchPicture | null;
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

/** The time before the kept records is unknown, not empty: it is hatched. */
function paintUnknown(p: TimelinePicture): void {
  const w = Math.max(0, xOf(p, Math.min(p.knownFrom, p.toNs)) - LABEL_WIDTH);
  hatchUnknown(p, { x: LABEL_WIDTH, y: 0, w, h: p.height });
}

/** Lines over what is unknown. Those of all parts are in one grid, so that short parts beside each other look alike. */
function hatchUnknown({ ctx, theme }: TimelinePicture, { x, y, w, h }: Rect): void {
  ctx.save();
  ctx.strokeStyle = theme.hair;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  ctx.beginPath();
  const first = Math.floor((x - LABEL_WIDTH - h) / 7) * 7 + LABEL_WIDTH;
  for (let at = first; at < x + w; at += 7) {
    ctx.moveTo(at, y + h);
    ctx.lineTo(at + h, y);
  }
  ctx.stroke();
  ctx.restore();
}

/** The appearance of a thread's slices. */
interface Look {
  readonly isDaemon: boolean;
  /** Whether it is nobody, but time of which a trace tells too little. */
  readonly isUnknown: boolean;
  readonly fill: string;
  readonly rim: string;
  readonly words: string;
}

/** Appearance by thread, computed at its first use. */
type Looks = Map<number, Look>;

function lookOf({ names, theme, selected }: TimelinePicture, looks: Looks, task: number): Look {
  let look = looks.get(task);
  if (!look) {
    const hue = taskHue(names, task, selected);
    const fill = theme.of(hue.fill);
    const isDaemon = names.groups[names.taskGroup[task] ?? -1]?.background === true;
    const isUnknown = standsForOthers(names, task);
    const words = theme.on(fill);
    looks.set(task, (look = { isDaemon, isUnknown, fill, rim: theme.of(hue.rim), words }));
  }
  return look;
}

function paintRow(p: TimelinePicture, slices: readonly Slice[], y: number, looks: Looks): void {
  const { ctx, theme, fromNs, toNs, names } = p;
  const h = p.rows.height;
  const known = Math.max(fromNs, p.knownFrom);
  const pointed = p.selected ?? p.hovered;
  ctx.textAlign = 'left';
  const px = letterPx(p);
  // Digits are lower than the font size.
  const hasNames = h >= 0.85 * px;
  if (hasNames) ctx.font = `${String(px)}px ${theme.sans}`;
  let painted = Number.NEGATIVE_INFINITY;
  for (let i = firstAfter(slices, known); i < slices.length; i++) {
    const slice = slices[i];
    if (!slice || slice.from >= toNs) break;
    if (slice.task < 0) continue;
    const x0 = xOf(p, Math.max(slice.from, known));
    const x1 = xOf(p, Math.min(slice.to, Math.max(p.nowNs, slice.from), toNs));
    // A slice within a pixel that is painted already is skipped.
    if (x1 < painted + 0.5 && x1 - x0 < 0.75) continue;
    painted = Math.max(x1, x0 + 0.75);
    const look = lookOf(p, looks, slice.task);
    const { isDaemon, isUnknown } = look;
    if (isUnknown) {
      hatchUnknown(p, { x: x0, y, w: x1 - x0, h });
      continue;
    }
    if (pointed !== null) ctx.globalAlpha = pointed !== slice.task ? 0.28 : 1;
    ctx.fillStyle = look.fill;
    // Background threads are thinner, so that colour is not their only difference.
    const inset = isDaemon ? h * 0.25 : 0;
    const w = Math.max(0.75, x1 - x0);
    ctx.fillRect(x0, y + inset, w, h - 2 * inset);
    if (h >= 6 && !isDaemon) {
      // Pale hues have an edge on the ground, too.
      ctx.fillStyle = look.rim;
      ctx.fillRect(x0, y + h - 1, w, 1);
    }
    if (w > 4 && slice.from > fromNs) {
      // A switch is a gap in the colour of the ground.
      ctx.fillStyle = theme.paper;
      ctx.fillRect(x0, y, 1, h);
      paintCost(p, slice, x1, y);
    }
    if (hasNames && !isDaemon && x1 - x0 > 26) {
      ctx.fillStyle = look.words;
      ctx.fillText(labelsOf(names)[slice.task] ?? '', x0 + 5, y + h / 2 + digitsBelow(p));
    }
  }
  ctx.globalAlpha = 1;
}

/** Overhead at the beginning of a slice: each kind in its pattern, in the order in which it occurs. */
function paintCost(p: TimelinePicture, { from, cost }: Slice, end: number, y: number): void {
  const { lockNs, switchNs, refillNs } = cost;
  // Most overheads are too short to be visible.
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
