/** Paints moves between CPUs: a fading trail for one, a line with a count for many. */
import { count } from '../../lib/format';
import { moveToken } from '../schedulers/folder';
import { wayOf } from './arrows';
import { type Flow, MOST_SEEN } from './motion';
import { fitOne, isBackground, type Picture, setFont } from './picture';
import { slotParts } from './slot';

/** Paints trails and flows. */
export function paintMoves(p: Picture): void {
  const { ctx, theme } = p;
  ctx.lineCap = 'round';
  for (const trail of p.trails) {
    const isDim = p.selected !== null && p.selected !== trail.task;
    const isDaemon = isBackground(p, trail.task);
    const isChosen = p.arrow === trail.seq;
    ctx.globalAlpha = isChosen ? 1 : trail.strength * (isDim ? 0.2 : isDaemon ? 0.4 : 0.9);
    const width = (isDaemon ? 1.5 : 4) + (isChosen ? 3 : 0);
    curves(p, [trail], theme.of(moveToken(p.scheduler, trail.reason)), width, true);
  }
  paintFlows(p);
  ctx.globalAlpha = 1;
  ctx.lineCap = 'butt';
}

/** Steps of thickness of flows. */
const STEPS = 6;
/** More flows than this are lines without heads: hundreds of heads would hide the threads. */
const MOST_HEADS = 24;

/** Flows: the thicker and darker, the more; together they are counted, so that none is hidden. */
function paintFlows(p: Picture): void {
  if (p.flows.length === 0) return;
  const { ctx, theme, layout } = p;
  const most = p.flows.reduce((m, f) => Math.max(m, f.perSecond), 1);
  const total = p.flows.reduce((sum, f) => sum + f.perSecond, 0);
  const isCrowd = p.flows.length > MOST_HEADS;
  // Lines of a colour and a thickness in one go: there may be hundreds.
  const lots = new Map<string, Flow[]>();
  for (const flow of p.flows) {
    const step = Math.ceil((flow.perSecond / most) * STEPS);
    const key = `${String(step)} ${theme.of(moveToken(p.scheduler, flow.reason))}`;
    const lot = lots.get(key);
    if (lot) lot.push(flow);
    else lots.set(key, [flow]);
  }
  for (const [key, lot] of [...lots].sort()) {
    const [step = '', color = ''] = key.split(/ (.*)/);
    const part = Number(step) / STEPS;
    // Many lines must stay a background: the threads are what is looked at.
    ctx.globalAlpha = (0.15 + 0.45 * part) * (isCrowd ? 0.5 : 1);
    curves(p, lot, color, 1 + 5 * part, !isCrowd);
  }
  ctx.globalAlpha = 1;
  setFont(p, 12);
  ctx.textAlign = 'right';
  ctx.fillStyle = theme.muted;
  const rate = total >= MOST_SEEN ? `over ${count(MOST_SEEN)}` : count(total);
  const { queue, tray } = layout;
  const [right, y] = [queue.x + queue.w - 6, tray.y + tray.h / 2];
  fitOne(ctx, [`${rate} moves per s`, `${rate} per s`], right, y, tray.w * 0.35);
}

/** Draws arcs between CPUs, with arrow heads. */
function curves(
  p: Picture,
  ways: readonly { readonly from: number; readonly to: number }[],
  color: string,
  width: number,
  hasHead: boolean,
): void {
  const { ctx } = p;
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (const { from, to } of ways) {
    const way = wayOf(p.layout, from, to);
    if (!way) continue;
    const { a, b, cx, cy } = way;
    ctx.moveTo(a.x, a.y);
    ctx.quadraticCurveTo(cx, cy, b.x, b.y);
  }
  ctx.stroke();
  if (!hasHead) return;
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const { from, to } of ways) head(p, from, to, 5 + width);
  ctx.fill();
}

/** Traces an arrow head at the rim of the token that an arc leads to. */
function head(p: Picture, from: number, to: number, size: number): void {
  const way = wayOf(p.layout, from, to);
  const slot = p.layout.slots[to];
  if (!way || !slot) return;
  const { b, cx, cy } = way;
  const angle = Math.atan2(b.y - cy, b.x - cx);
  const half = slotParts(slot.rect, slot.density).token.w * 0.475;
  const tip = { x: b.x - Math.cos(angle) * half, y: b.y - Math.sin(angle) * half };
  p.ctx.moveTo(tip.x, tip.y);
  for (const side of [-0.45, 0.45])
    p.ctx.lineTo(tip.x - size * Math.cos(angle + side), tip.y - size * Math.sin(angle + side));
  p.ctx.closePath();
}
