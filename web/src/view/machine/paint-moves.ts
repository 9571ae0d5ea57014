/** Paints moves between CPUs: a fading trail for one, a line with a count for many. */
import { reasonToken } from '../../lib/color';
import { count } from '../../lib/format';
import { centre, type Point } from '../../lib/geom';
import { slotParts } from './layout';
import { arc } from './motion';
import { isBackground, type Picture, setFont } from './picture';

/** Flows that get a count; the thinner ones only a line. */
const COUNTED = 6;

function anchor(p: Picture, cpu: number): Point | null {
  const slot = p.layout.slots[cpu];
  return slot ? centre(slotParts(slot.rect, p.layout.density).token) : null;
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
  const flows = [...p.flows].sort((a, b) => b.perSecond - a.perSecond);
  flows.forEach((flow, i) => {
    const width = Math.min(10, 1.5 + Math.log2(flow.perSecond / 8 + 1) * 1.6);
    ctx.globalAlpha = 0.5;
    const color = theme.of(reasonToken(flow.reason));
    const middle = curve(p, flow.from, flow.to, color, width, true);
    if (!middle || i >= COUNTED) return;
    ctx.globalAlpha = 1;
    setFont(p, 12, 650);
    ctx.textAlign = 'center';
    ctx.strokeStyle = theme.paper;
    ctx.lineWidth = 3;
    ctx.strokeText(count(flow.perSecond), middle.x, middle.y);
    ctx.fillStyle = theme.ink;
    ctx.fillText(count(flow.perSecond), middle.x, middle.y);
  });
  ctx.globalAlpha = 1;
  ctx.lineCap = 'butt';
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
    const half =
      (slotParts(p.layout.slots[to]?.rect ?? { x: 0, y: 0, w: 0, h: 0 }, p.layout.density).token.w /
        2) *
      0.95;
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
