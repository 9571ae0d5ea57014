/** Paints an announced moment: a pulse where it begins, and a fading outline around its threads. */
import { centre, type Rect } from '../../lib/geom';
import { SLOW_MS } from '../../state/moments';
import type { Drawn } from './motion';
import { type Picture, roundRect } from './picture';
import { slotParts } from './slot';

/** Room on the line for the chip that asks why. */
export const CHIP = 66;
/** The one pulse. */
const PULSE_MS = 500;
/** How far the pulse grows beyond its source. */
const REACH = 26;

const around = ({ x, y, size }: Drawn): Rect => ({
  x: x - size / 2,
  y: y - size / 2,
  w: size,
  h: size,
});

/** Paints both. */
export function paintSight(p: Picture, sight: NonNullable<Picture['sight']>): void {
  const { forMs } = sight;
  if (forMs >= SLOW_MS) return;
  const { ctx, theme } = p;
  ctx.strokeStyle = theme.accent;
  const own = p.drawn.filter((d) => sight.tasks.includes(d.task));
  const slot = p.layout.slots[sight.from];
  const source = slot ? slotParts(slot.rect, slot.density).token : own[0] && around(own[0]);
  // With reduced motion (`led` means motion, too) there is only the outline.
  if (p.led && source && forMs < PULSE_MS) {
    const part = forMs / PULSE_MS;
    const { x, y } = centre(source);
    ctx.globalAlpha = 1 - part;
    ctx.lineWidth = 3;
    ctx.beginPath();
    ctx.arc(x, y, Math.hypot(source.w, source.h) / 2 + part * REACH, 0, 2 * Math.PI);
    ctx.stroke();
  }
  ctx.globalAlpha = 1 - forMs / SLOW_MS;
  ctx.lineWidth = 3;
  for (const d of own) {
    const r = around(d);
    roundRect(ctx, { x: r.x - 1, y: r.y - 1, w: r.w + 2, h: r.h + 2 }, r.w * 0.26);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1;
}
