/** Times under timelines: round ones, in a unit that suits the span. */
import type { Theme } from '../../lib/color';
import { figures } from '../../lib/figures';
import { roundUp125 } from '../../lib/scale';
import { MS, SEC, US } from '../../lib/units';
import { type Axis, xOf } from './axis';

/** Room for one label, in characters. */
const LABEL = 8;

/** The unit of a step: seconds only if the steps are whole seconds, so steps of 1,500 ms stay in ms. */
function unitOf(step: number): readonly [number, string, number] {
  if (step >= SEC) return [SEC, 's', 0];
  if (step >= MS) return [MS, 'ms', 0];
  if (step >= US) return [MS, 'ms', 3];
  return [US, 'µs', 3];
}

/** Paints the times of an axis with letters of `px`. */
export function paintTimeAxis(
  ctx: CanvasRenderingContext2D,
  axis: Axis,
  theme: Theme,
  px: number,
): void {
  const { fromNs, toNs, width, height } = axis;
  const labelPx = LABEL * px;
  ctx.clearRect(0, 0, width, height);
  ctx.font = `${String(px)}px ${theme.sans}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.muted;
  const step = roundUp125(((toNs - fromNs) * labelPx) / Math.max(labelPx, width), 1);
  const [unit, name, digits] = unitOf(step);
  for (let at = Math.ceil(fromNs / step) * step; at <= toNs; at += step) {
    const text = `${figures(at / unit, digits)} ${name}`;
    const half = ctx.measureText(text).width / 2;
    const x = xOf(axis, at);
    ctx.fillRect(x - 0.5, 0, 1, 3);
    if (x + half <= width) ctx.fillText(text, Math.max(half, x), height / 2 + 2);
  }
}
