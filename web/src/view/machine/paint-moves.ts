/** Paints moves between CPUs: a fading trail for one, a line with a count for many. */
import { count } from '../../lib/format';
import { centre, inset, type Point, type Rect } from '../../lib/geom';
import type { Move } from '../../sim/history';
import { pointOf, type Arc, arcOf } from './arrows';
import type { Slot } from './layout';
import { arc, type Trail } from './motion';
import type { Placed } from './placed';
import { bandRect } from './paint-slots';
import { type Picture, rimOf, roundRect, setFont, strengthOf, widthOf } from './picture';
import { slotParts } from './slot';

/** Pieces of a trail, each thicker than the one before. */
const PIECES = 8;
/** Half of the length of the bar that stops an arrow. */
const BAR = 8;
/** Thickness of a trail at its end. */
const THICK = 5;

/** Paints trails of single moves, in the colours of their threads. They pass behind bands and tokens. */
export function paintTrails(p: Picture): void {
  const { ctx, layout } = p;
  ctx.save();
  if (p.trails.length > 0 && p.banded.size > 0) {
    ctx.beginPath();
    ctx.rect(0, 0, layout.width, layout.height);
    for (const slot of layout.slots) {
      const { x, y, w, h } = bandRect(slot);
      if (p.banded.has(slot.cpu)) ctx.rect(x, y, w, h);
    }
    ctx.clip('evenodd');
  }
  for (const trail of p.trails) {
    if (isOfAnswer(p, trail)) continue;
    const isChosen = p.arrow === trail.seq;
    ctx.globalAlpha = isChosen ? 1 : trail.strength * 0.9 * strengthOf(p, trail.task);
    paintTrail(p, trail, THICK + (isChosen ? 3 : 0));
  }
  ctx.restore();
}

/** In front of a class the move of an open answer has an arrow of its own, over the threads. */
function isOfAnswer({ ghost, layout }: Picture, { seq }: Move): boolean {
  return layout.isWaitOnLine && ghost?.move?.seq === seq;
}

/** Width of the arrow of an answer, the length of its head, and its distance from what it joins. */
const ANSWER = { wide: 2.5, head: 9, apart: 3 } as const;

/** Paints the arrow of an open answer in front of a class, from the mark of a thread to where the thread is. */
export function paintAnswerMove(p: Picture): void {
  const { ctx, layout, theme } = p;
  const move = p.ghost?.move;
  const way = move && isOfAnswer(p, move) ? arcOf(layout, move.from, move.to) : null;
  const [left, there] = [layout.slots[move?.from ?? -1], layout.slots[move?.to ?? -1]];
  if (!way || !left || !there) return;
  const around = ({ rect, density }: Slot, by: number) => inset(slotParts(rect, density).token, by);
  const back = { ...way, a: way.b, b: way.a };
  // A mark has no ring, and is smaller than a thread in its place.
  const begin = enters(back, around(left, ANSWER.apart));
  const tip = enters(way, around(there, -ANSWER.apart));
  const { cx, cy } = arc(begin, tip);
  const angle = Math.atan2(tip.y - cy, tip.x - cx);
  const neck = {
    x: tip.x - Math.cos(angle) * ANSWER.head,
    y: tip.y - Math.sin(angle) * ANSWER.head,
  };
  ctx.strokeStyle = ctx.fillStyle = theme.accent;
  ctx.lineWidth = ANSWER.wide;
  ctx.beginPath();
  ctx.moveTo(begin.x, begin.y);
  ctx.quadraticCurveTo(cx, cy, neck.x, neck.y);
  ctx.stroke();
  paintHead(p, tip, angle, ANSWER.head * 1.15);
  ctx.lineWidth = 1;
}

function paintTrail(p: Picture, trail: Trail, thick: number): void {
  const { ctx } = p;
  const way = arcOf(p.layout, trail.from, trail.to);
  const slot = p.layout.slots[trail.to];
  if (!way || !slot) return;
  const color = rimOf(p, trail.task);
  ctx.strokeStyle = color;
  // From the edge of the thread's mark, if it has one there.
  const isMarked = p.ghost?.task === trail.task && p.ghost.cpu === trail.from;
  const begin = isMarked ? beginOf(p, way, trail.from) : 0;
  let from = pointOf(way, begin);
  for (let i = 1; i <= PIECES; i++) {
    const to = pointOf(way, begin + ((1 - begin) * i) / PIECES);
    ctx.lineWidth = 1 + ((thick - 1) * i) / PIECES;
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
    ctx.stroke();
    from = to;
  }
  // An arrow head at the rim of the token or bands that the arrow leads to.
  const { b, cx, cy } = way;
  const angle = Math.atan2(b.y - cy, b.x - cx);
  const half = slotParts(slot.rect, slot.density).token.w * 0.475;
  const tip = p.banded.has(slot.cpu)
    ? enters(way, bandRect(slot))
    : { x: b.x - Math.cos(angle) * half, y: b.y - Math.sin(angle) * half };
  ctx.fillStyle = color;
  paintHead(p, tip, angle, 5 + thick);
}

/** The head of an arrow, in the colour of fillings. */
function paintHead({ ctx }: Picture, tip: Point, angle: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(tip.x, tip.y);
  for (const side of [-0.45, 0.45])
    ctx.lineTo(tip.x - size * Math.cos(angle + side), tip.y - size * Math.sin(angle + side));
  ctx.closePath();
  ctx.fill();
}

/** The part of a path that a thread's mark at its beginning covers. */
function beginOf({ layout }: Picture, { a, b }: Arc, cpu: number): number {
  const slot = layout.slots[cpu];
  if (!slot) return 0;
  const far = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
  return Math.min(0.6, (slotParts(slot.rect, slot.density).token.w * 0.5) / far);
}

/** Where the path of a move meets its target rectangle. */
function enters(way: Arc, r: Rect): Point {
  const STEPS = 48;
  let tip = way.b;
  for (let i = STEPS; i > 0; i--) {
    tip = pointOf(way, i / STEPS);
    if (tip.x < r.x || tip.x > r.x + r.w || tip.y < r.y || tip.y > r.y + r.h) break;
  }
  return tip;
}

/** Paints refusals: a dashed arrow that ends at a bar before the empty place of the idle CPU. */
export function paintRefused(p: Picture): void {
  const { ctx, layout, theme } = p;
  ctx.strokeStyle = theme.accent;
  for (const { task, to } of p.refused) {
    ctx.globalAlpha = p.led ? strengthOf(p, task) : 1;
    const slot = layout.slots[to];
    // From the place of the waiting thread; a thread without a place is only counted.
    const a = p.scene.placed.find((t) => t.task === task);
    if (!a || !slot) continue;
    if (layout.isWaitOnLine && a.y > slot.rect.y + slot.rect.h) {
      paintRefusedInClassroom(p, a, slot.rect);
      continue;
    }
    const { token } = slotParts(slot.rect, slot.density);
    const b = centre(token);
    const way = { a, b, ...arc(a, b) };
    const length = Math.max(1, Math.hypot(way.b.x - way.a.x, way.b.y - way.a.y));
    // Between the tokens, whose numbers stay readable.
    const begin = Math.min(0.25, (a.size * 0.6) / length);
    const end = Math.max(0.3, 1 - (token.w * 0.6) / length);
    ctx.lineWidth = 2;
    ctx.setLineDash([5, 4]);
    ctx.beginPath();
    for (let i = 0; i <= PIECES; i++) {
      const at = pointOf(way, begin + ((end - begin) * i) / PIECES);
      if (i === 0) ctx.moveTo(at.x, at.y);
      else ctx.lineTo(at.x, at.y);
    }
    ctx.stroke();
    ctx.setLineDash([]);
    const [tip, before] = [pointOf(way, end), pointOf(way, end - 0.05)];
    const angle = Math.atan2(tip.y - before.y, tip.x - before.x) + Math.PI / 2;
    const [dx, dy] = [Math.cos(angle) * BAR, Math.sin(angle) * BAR];
    ctx.lineWidth = 4;
    ctx.beginPath();
    ctx.moveTo(tip.x - dx, tip.y - dy);
    ctx.lineTo(tip.x + dx, tip.y + dy);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1;
}

/** In front of a class: from the waiting thread along the line to a bar under the CPU, which stays free for its word. */
function paintRefusedInClassroom(p: Picture, a: Placed, to: Rect): void {
  const { ctx, layout, theme } = p;
  const under = layout.boxes.reduce((low, { rect }) => Math.max(low, rect.y + rect.h), 0);
  const tip = { x: to.x + to.w / 2, y: under + 4 };
  const side = tip.x < a.x ? -1 : 1;
  // Above the words beside the thread.
  const flat = under + 10;
  const from = { x: a.x + side * (a.size / 2 + 2), y: Math.max(flat, a.y - a.size / 2 + 6) };
  const far = Math.min(14, Math.abs(tip.x - from.x) / 2);
  ctx.lineWidth = 2.5;
  ctx.setLineDash([6, 4]);
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.quadraticCurveTo(from.x + side * 6, flat, from.x + side * far, flat);
  ctx.lineTo(tip.x - side * far, flat);
  ctx.quadraticCurveTo(tip.x, flat, tip.x, tip.y + 2);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineWidth = 3.5;
  ctx.beginPath();
  ctx.moveTo(tip.x - 12, tip.y);
  ctx.lineTo(tip.x + 12, tip.y);
  ctx.stroke();
  setFont(p, 12, 650);
  const word = 'not taken';
  // Else the words of the line say so.
  if (p.said.main.length > 0) return;
  if (side < 0 || tip.x + 18 + widthOf(ctx, word) > layout.width) return;
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.accent;
  ctx.fillText(word, tip.x + 18, flat);
}

/** Paints lines between cores with their counts, and the counts within cores. */
export function paintLinks(p: Picture): void {
  const { ctx, theme, links, flows, layout } = p;
  const most = links.reduce((m, l) => Math.max(m, l.count), 1);
  ctx.strokeStyle = theme.edge;
  ctx.lineCap = 'round';
  for (const { a, b, count: n, newest } of links) {
    ctx.globalAlpha = p.arrow !== null && p.arrow === newest?.seq ? 0.9 : 0.45;
    ctx.lineWidth = 2 + 7 * (n / most);
    ctx.beginPath();
    ctx.moveTo(a.x, a.y);
    ctx.lineTo(b.x, b.y);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  ctx.lineCap = 'butt';
  setFont(p, 12, 600);
  for (const { at, count: n } of links) paintNumber(p, at, count(n));
  // Within a core: at the end of its caption.
  setFont(p, 11, 600);
  ctx.textAlign = 'right';
  for (const { area, caption } of layout.boxes) {
    const n = flows?.withinOf.get(area.ids.core ?? -1) ?? 0;
    if (n === 0 || caption.h < 12 || caption.w < 40) continue;
    const text = `${count(n)} within`;
    const word = widthOf(ctx, text) <= caption.w * 0.45 ? text : count(n);
    paintGrounded(p, word, caption.x + caption.w, caption.y + caption.h / 2 + 1);
  }
}

/** A number with a background. */
function paintNumber(p: Picture, { x, y }: Point, text: string): void {
  const { ctx, theme, layout } = p;
  const w = Math.max(18, widthOf(ctx, text) + 12);
  const left = Math.min(Math.max(0.5, x - w / 2), layout.width - w - 0.5);
  ctx.fillStyle = theme.paper;
  roundRect(ctx, { x: left, y: y - 8.5, w, h: 17 }, 8.5);
  ctx.fill();
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.fillStyle = theme.ink;
  ctx.textAlign = 'center';
  ctx.fillText(text, left + w / 2, y + 0.5);
}

function paintGrounded(p: Picture, text: string, right: number, y: number): void {
  const { ctx, theme } = p;
  const w = widthOf(ctx, text);
  ctx.fillStyle = theme.core;
  ctx.fillRect(right - w - 4, y - 8, w + 4, 15);
  ctx.fillStyle = theme.muted;
  ctx.fillText(text, right, y);
}
