/** Paints moves between CPUs: a fading trail for one, a line with a count for many. */
import { reasonToken } from '../../lib/color';
import { count } from '../../lib/format';
import { centre, type Point } from '../../lib/geom';
import { arc, MOST_SEEN } from './motion';
import { isBackground, type Picture, setFont } from './picture';
import { slotParts } from './slot';

function anchor(p: Picture, cpu: number): Point | null {
  const slot = p.layout.slots[cpu];
  return slot ? centre(slotParts(slot.rect, slot.density).token) : null;
}

/** Paints trails and flows. */
export function paintMoves(p: Picture): void {
  const { ctx, theme } = p;
  ctx.lineCap = 'round';
  for (const trail of p.trails) {
    const isDim = p.selected !== null && p.selected !== trail.task;
    const isDaemon = isBackground(p, trail.task);
    ctx.globalAlpha = trail.strength * (isDim ? 0.2 : isDaemon ? 0.4 : 0.9);
    curve(p, trail.from, trail.to, theme.of(reasonToken(trail.reason)), isDaemon ? 1.5 : 4, true);
  }
  paintFlows(p);
  ctx.globalAlpha = 1;
  ctx.lineCap = 'butt';
}

/** Flows: the thicker and darker, the more; together they are counted, so that none is hidden. */
function paintFlows(p: Picture): void {
  if (p.flows.length === 0) return;
  const { ctx, theme, layout } = p;
  const flows = [...p.flows].sort((a, b) => a.perSecond - b.perSecond);
  const most = flows.at(-1)?.perSecond ?? 1;
  const total = flows.reduce((sum, f) => sum + f.perSecond, 0);
  for (const flow of flows) {
    const part = flow.perSecond / most;
    // Many lines must stay a background: the threads are what is looked at.
    ctx.globalAlpha = (0.15 + 0.45 * part) * (flows.length > 24 ? 0.5 : 1);
    curve(
      p,
      flow.from,
      flow.to,
      theme.of(reasonToken(flow.reason)),
      1 + 5 * part,
      flows.length <= 24,
    );
  }
  ctx.globalAlpha = 1;
  setFont(p, 12);
  ctx.textAlign = 'right';
  ctx.fillStyle = theme.muted;
  const words = total >= MOST_SEEN ? `over ${count(MOST_SEEN)} moves/s` : `${count(total)} moves/s`;
  ctx.fillText(words, layout.queue.x + layout.queue.w - 6, layout.tray.y + layout.tray.h / 2);
}

/** Draws an arc between two CPUs with an arrow head; returns its middle. */
function curve(
  p: Picture,
  from: number,
  to: number,
  color: string,
  width: number,
  hasHead: boolean,
): Point | null {
  const a = anchor(p, from);
  const b = anchor(p, to);
  if (!a || !b) return null;
  const { ctx } = p;
  const { cx, cy } = arc(a, b);
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.moveTo(a.x, a.y);
  ctx.quadraticCurveTo(cx, cy, b.x, b.y);
  ctx.stroke();
  if (hasHead) {
    const angle = Math.atan2(b.y - cy, b.x - cx);
    const size = 5 + width;
    const slot = p.layout.slots[to];
    const half = slot ? slotParts(slot.rect, slot.density).token.w * 0.475 : 0;
    const tip = { x: b.x - Math.cos(angle) * half, y: b.y - Math.sin(angle) * half };
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.moveTo(tip.x, tip.y);
    ctx.lineTo(tip.x - size * Math.cos(angle - 0.45), tip.y - size * Math.sin(angle - 0.45));
    ctx.lineTo(tip.x - size * Math.cos(angle + 0.45), tip.y - size * Math.sin(angle + 0.45));
    ctx.fill();
  }
  return { x: (a.x + 2 * cx + b.x) / 4, y: (a.y + 2 * cy + b.y) / 4 };
}
