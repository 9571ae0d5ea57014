/** Paints threads: rounded squares in their hue, with the ring of their slice. */
import { labelsOf } from '../../lib/thread-labels';
import type { Rect } from '../../lib/geom';
import { isHeld } from '../../state/held';
import { type Target, rectOf } from './hit';
import { WARM, warmOf } from './warmth';
import type { Drawn } from './motion';
import { isOutline } from './placed';
import { stamp } from './sprites';
import {
  beginPicture,
  hatch,
  hueOf,
  isBackground,
  type Pen,
  type Picture,
  rimOf,
  roundRect,
  setFont,
  strengthOf,
  widthOf,
} from './picture';

/** Largest size of the number on a token. */
const LARGEST = 72;
/** Its weight, and the parts of a token that it may take. */
const WEIGHT = 650;
const LABEL = { high: 0.54, wide: 0.84 } as const;
/** A smaller number takes more of a small token, so that it can be read. */
const READABLE = { px: 12, high: 0.78 } as const;

/** Paints all threads; moving ones last, so that they fly over the others. */
export function paintTokens(p: Picture): void {
  const moving: Drawn[] = [];
  for (const d of p.drawn) {
    if (d.isMoving === true) moving.push(d);
    else paintToken(p, d, p.hasRings);
  }
  for (const d of moving) paintToken(p, d, p.hasRings);
}

/** Paints one thread, with the ring of its slice if wanted. */
export function paintToken(p: Pen, d: Drawn, hasRing = false): void {
  const { ctx, theme } = p;
  const isSelected = p.selected === d.task;
  const hue = hueOf(p, d.task);
  const isDaemon = isBackground(p, d.task);
  // The ring's room stays free, so that a token has a constant size.
  const hasRoom = d.kind === 'slot' && d.size >= 22 && !isDaemon;
  const ring = hasRing && hasRoom;
  const margin = hasRoom ? Math.max(3, d.size * 0.09) : 0;
  const side = d.size - 2 * margin;
  const warm = d.kind === 'slot' ? warmOf(p.frame, d.task) : null;
  const isCold = warm !== null && warm < WARM && side >= 9;
  ctx.globalAlpha = strengthOf(p, d.task) * (d.kind === 'done' ? 0.6 : 1);
  if (d.kind === 'held' || (d.kind === 'queue' && isHeld(p.frame, d.task))) {
    paintHeld(p, d, isSelected);
    ctx.globalAlpha = 1;
    return;
  }
  if (!isSelected && !isCold && d.isMoving !== true) {
    paintStamped(p, hasRoom ? { ...d, size: side } : d, hue, rimOf(p, d.task));
    if (ring) paintRing(p, d, margin);
    ctx.globalAlpha = 1;
    return;
  }
  const box = { x: d.x - side / 2, y: d.y - side / 2, w: side, h: side };
  roundRect(ctx, box, side * 0.24);
  ctx.fillStyle = hue;
  ctx.fill();
  if (isCold) paintCold(p, box, warm);
  paintRim(ctx, box, rimOf(p, d.task));
  if (isOutline(d.kind)) {
    // At rest: an outline instead of a fill.
    ctx.fillStyle = theme.paper;
    roundRect(ctx, { x: box.x + 2, y: box.y + 2, w: side - 4, h: side - 4 }, side * 0.16);
    ctx.fill();
  }
  if (ring) paintRing(p, d, margin);
  if (isSelected) {
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = Math.max(2, d.size * 0.07);
    roundRect(
      ctx,
      { x: d.x - d.size / 2, y: d.y - d.size / 2, w: d.size, h: d.size },
      d.size * 0.28,
    );
    ctx.stroke();
  }
  paintLabel(p, d, side, hue, isCold);
  ctx.globalAlpha = 1;
}

/** A thread that no CPU may take: behind lines, with an edge in its hue, and its number on a piece of ground. */
function paintHeld(p: Pen, d: Drawn, isSelected: boolean): void {
  const { ctx, theme } = p;
  const side = d.size * 0.94;
  const box = { x: d.x - side / 2, y: d.y - side / 2, w: side, h: side };
  ctx.save();
  roundRect(ctx, box, side * 0.24);
  ctx.fillStyle = theme.core;
  ctx.fill();
  ctx.clip();
  hatch(ctx, box, theme.muted, Math.max(1, side * 0.04));
  ctx.restore();
  ctx.lineWidth = Math.max(1.5, side * 0.05);
  ctx.strokeStyle = isSelected ? theme.accent : rimOf(p, d.task);
  roundRect(ctx, box, side * 0.24);
  ctx.stroke();
  const text = labelOf(p, d);
  if (text === '') return;
  setLabelFont(p, text, side * 0.86);
  const width = Math.min(side - 4, widthOf(ctx, text) + side * 0.2);
  const paper = { x: d.x - width / 2, y: d.y - side * 0.26, w: width, h: side * 0.52 };
  ctx.fillStyle = theme.paper;
  roundRect(ctx, paper, side * 0.12);
  ctx.fill();
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.ink;
  ctx.fillText(text, d.x, d.y + side * 0.03);
}

/** An edge that is visible on the ground, whatever the hue; dots have none. */
function paintRim(ctx: CanvasRenderingContext2D, box: Rect, rim: string): void {
  if (box.w < 7) return;
  const w = box.w < 20 ? 1 : 1.5;
  ctx.lineWidth = w;
  ctx.strokeStyle = rim;
  const inside = { x: box.x + w / 2, y: box.y + w / 2, w: box.w - w, h: box.h - w };
  roundRect(ctx, inside, inside.w * 0.24);
  ctx.stroke();
}

/** A resting or waiting thread: one of a few recurring forms. */
function paintStamped(p: Pen, d: Drawn, hue: string, rim: string): void {
  const { theme } = p;
  const side = Math.round(d.size * 2) / 2;
  const isHollow = isOutline(d.kind);
  const name = labelOf(p, d);
  stamp(p.ctx, { hue, inside: isHollow ? theme.paper : '', name, side }, d, (ctx, middle) => {
    const box = { x: middle - side / 2, y: middle - side / 2, w: side, h: side };
    ctx.fillStyle = hue;
    roundRect(ctx, box, side * 0.24);
    ctx.fill();
    if (isHollow) {
      ctx.fillStyle = theme.paper;
      const inside = { x: box.x + 2, y: box.y + 2, w: side - 4, h: side - 4 };
      roundRect(ctx, inside, side * 0.16);
      ctx.fill();
    } else paintRim(ctx, box, rim);
    if (name === '') return;
    beginPicture(ctx);
    setLabelFont({ ctx, theme }, name, side);
    ctx.textAlign = 'center';
    ctx.fillStyle = isHollow ? theme.ink : theme.on(hue);
    ctx.fillText(name, middle, middle + side * 0.03);
  });
}

/** The text of a token; none where it would be unreadable. */
function labelOf(p: Pen, d: Drawn): string {
  if (d.size < 11 || (p.isRapid && d.kind !== 'slot')) return '';
  return isBackground(p, d.task) ? '·' : (labelsOf(p.names)[d.task] ?? '');
}

/** As large as the token has room for: `3` by its height, `ho6` by its width. */
function setLabelFont(p: Pick<Picture, 'ctx' | 'theme'>, text: string, side: number): void {
  setFont(p, LARGEST, WEIGHT);
  const wide = (side * LABEL.wide * LARGEST) / Math.max(1, widthOf(p.ctx, text));
  const high = Math.max(side * LABEL.high, Math.min(READABLE.px, side * READABLE.high));
  setFont(p, Math.min(LARGEST, high, wide), WEIGHT);
}

/** A thread whose data are not loaded is empty from above, and fills while they load. */
function paintCold(p: Pen, box: Rect, warm: number): void {
  const { ctx, theme } = p;
  const rim = Math.max(1.5, box.w * 0.05);
  const inside = { x: box.x + rim, y: box.y + rim, w: box.w - 2 * rim, h: box.h - 2 * rim };
  ctx.save();
  roundRect(ctx, inside, inside.w * 0.2);
  ctx.clip();
  ctx.fillStyle = theme.slot;
  ctx.fillRect(inside.x, inside.y, inside.w, inside.h * (1 - warm));
  ctx.restore();
}

/** The rest of the slice, as an outline that empties clockwise from the top. */
function paintRing(p: Pen, d: Drawn, margin: number): void {
  const { ctx, frame, theme } = p;
  const left = frame.cpu('sliceLeftNs')[d.cpu] ?? 0;
  const full = frame.cpu('sliceFullNs')[d.cpu] ?? 0;
  if (!(full > 0)) return;
  const part = Math.min(1, Math.max(0, left / full));
  const inset = margin * 0.4;
  const half = d.size / 2 - inset;
  const r = d.size * 0.26;
  const box = { x: d.x - half, y: d.y - half, w: 2 * half, h: 2 * half };
  ctx.lineWidth = Math.max(1.5, margin * 0.55);
  ctx.strokeStyle = theme.hair;
  roundRect(ctx, box, r);
  ctx.stroke();
  // A path from the middle of the upper side, so that the ring empties like a clock.
  const length = 8 * half - 8 * r + 2 * Math.PI * r;
  ctx.beginPath();
  ctx.moveTo(d.x, d.y - half);
  ctx.arcTo(d.x - half, d.y - half, d.x - half, d.y + half, r);
  ctx.arcTo(d.x - half, d.y + half, d.x + half, d.y + half, r);
  ctx.arcTo(d.x + half, d.y + half, d.x + half, d.y - half, r);
  ctx.arcTo(d.x + half, d.y - half, d.x - half, d.y - half, r);
  ctx.lineTo(d.x, d.y - half);
  ctx.setLineDash([length * part, length]);
  ctx.strokeStyle = rimOf(p, d.task);
  ctx.stroke();
  ctx.setLineDash([]);
}

function paintLabel(p: Pen, d: Drawn, side: number, hue: string, isCold: boolean): void {
  const text = labelOf(p, { ...d, size: side });
  if (text === '') return;
  const isHollow = isOutline(d.kind);
  setLabelFont(p, text, side);
  p.ctx.textAlign = 'center';
  p.ctx.fillStyle = isHollow ? p.theme.ink : p.theme.on(hue);
  if (isCold) {
    // The number stands half on the hue and half on the ground: an edge in the hue keeps it readable.
    p.ctx.lineJoin = 'round';
    p.ctx.lineWidth = Math.max(2.5, side * 0.1);
    p.ctx.strokeStyle = hue;
    p.ctx.strokeText(text, d.x, d.y + side * 0.03);
  }
  p.ctx.fillText(text, d.x, d.y + side * 0.03);
}

/** Paints where the keyboard is. */
export function paintCursor(p: Picture, target: Target): void {
  const r = rectOf(p.layout, p.scene, target);
  if (!r) return;
  p.ctx.strokeStyle = p.theme.accent;
  p.ctx.lineWidth = 2;
  p.ctx.setLineDash([3, 3]);
  roundRect(p.ctx, { x: r.x - 4, y: r.y - 4, w: r.w + 8, h: r.h + 8 }, 8);
  p.ctx.stroke();
  p.ctx.setLineDash([]);
}
