/** Paints a calendar ring with its hands; the threads are painted later. */
import { waits } from '../../../lib/format';
import { fitOne, type Pen, setFont } from '../picture';
import { angleOf, type Ring } from './ring';

/** Paints the ground of a ring. `isLarge` has room for words. */
export function paintRing(p: Pen, ring: Ring, isLarge = false): void {
  const { ctx, theme } = p;
  const { x, y, r, slots } = ring;
  const half = Math.PI / slots;
  const most = Math.max(1, ...ring.counts);
  ctx.lineCap = 'butt';
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
  // Slots in use: thicker for more threads. This includes threads that do not fit inside.
  ring.counts.forEach((n, slot) => {
    if (n === 0) return;
    const a = angleOf(slot, slots);
    const width = (isLarge ? 5 : 2.5) + (isLarge ? 9 : 2) * (n / most);
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.arc(x, y, r - 1 + (isLarge ? width / 2 : 0), a - half * 0.9, a + half * 0.9);
    ctx.stroke();
  });
  if (isLarge) paintSlots(p, ring);
  hand(p, ring, ring.insert, false, isLarge);
  hand(p, ring, ring.remove, true, isLarge);
}

/** Words above a large ring: its waiting threads, and its two hands. */
export function paintRingWords(p: Pen, ring: Ring, top: number, width: number): void {
  const waiting = ring.counts.reduce((sum, n) => sum + n, 0);
  const who = waiting === 0 ? 'calendar' : waits(waiting);
  setFont(p, 13);
  p.ctx.textAlign = 'left';
  p.ctx.fillStyle = p.theme.muted;
  const long = `${waiting === 0 ? who : `calendar: ${who}`} · red hand serves, open hand fills`;
  const short = `${who} · red hand serves, open fills`;
  fitOne(p.ctx, [long, short, `${who} · red serves, open fills`, who], 7, top, width - 14);
}

/** Ticks and every eighth number. */
function paintSlots(p: Pen, { x, y, r, slots }: Ring): void {
  const { ctx, theme } = p;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  setFont(p, 12);
  ctx.beginPath();
  for (let slot = 0; slot < slots; slot++) {
    const a = angleOf(slot, slots) - Math.PI / slots;
    const long = slot % 8 === 0;
    ctx.moveTo(x + Math.cos(a) * r, y + Math.sin(a) * r);
    ctx.lineTo(x + Math.cos(a) * (r - (long ? 5 : 2.5)), y + Math.sin(a) * (r - (long ? 5 : 2.5)));
    const m = angleOf(slot, slots);
    if (long) ctx.fillText(String(slot), x + Math.cos(m) * (r + 24), y + Math.sin(m) * (r + 24));
  }
  ctx.stroke();
}

/** The remove hand is solid and points at the next thread; the insert hand is an open line. */
function hand(p: Pen, ring: Ring, slot: number, isRemove: boolean, isLarge: boolean): void {
  const { ctx, theme } = p;
  const a = angleOf(slot, ring.slots);
  const [cos, sin] = [Math.cos(a), Math.sin(a)];
  const { x, y, r } = ring;
  ctx.strokeStyle = isRemove ? theme.accent : theme.edge;
  ctx.fillStyle = isRemove ? theme.accent : theme.paper;
  // When they overlap both must be visible: one thick and short, one thin and long.
  const reach = isRemove ? r * 0.8 : r;
  ctx.lineWidth = isRemove ? (isLarge ? 3.5 : 2) : 1.25;
  if (!isRemove) ctx.setLineDash(isLarge ? [5, 4] : [2.5, 2]);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + cos * reach, y + sin * reach);
  ctx.stroke();
  ctx.setLineDash([]);
  // Its head is outside of the circle, so that threads do not cover it.
  const size = (isLarge ? 8 : 5) * (isRemove ? 1 : 1.7);
  const tip = r + (isLarge ? 1 : 0);
  ctx.beginPath();
  ctx.moveTo(x + cos * tip, y + sin * tip);
  for (const side of [0.5, -0.5]) {
    ctx.lineTo(
      x + cos * (tip + size) - sin * size * side,
      y + sin * (tip + size) + cos * size * side,
    );
  }
  ctx.closePath();
  ctx.fill();
  ctx.lineWidth = 1.25;
  ctx.stroke();
}
