/** Paints a ladder: its columns, the bitmap under them, and the beat that changes all priorities. */
import { count, duration, waits } from '../../../lib/format';
import type { Beat } from '../../../sim/types/Beat';
import { fitOne, type Pen, setFont, widthOf } from '../picture';
import type { Ladder, Rung } from './ladder';

/** Height of a bit. */
const BIT = 8;

/** Paints the ground of a ladder; the threads are painted above it. */
export function paintLadder(p: Pen, ladder: Ladder, beat: Beat | null): void {
  const { ctx, theme } = p;
  const { rect, base, rungs } = ladder;
  const beatWidth = beat ? paintBeat(p, ladder, beat) : 0;
  setFont(p, rect.h >= 90 ? 13 : 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'left';
  const room = rect.w - 14 - beatWidth;
  // Where there is little room, the name is dropped for the numbers.
  const n = count(ladder.waiting);
  const short: [string, ...string[]] =
    ladder.waiting === 0
      ? [ladder.part.label, '']
      : [`${n} wait on ${count(ladder.used)} of ${count(ladder.part.places)} levels`, `${n} wait`];
  fitOne(ctx, [wordsOf(ladder), ...short], rect.x + 7, rect.y + 11, room);
  for (const rung of rungs) paintRung(p, ladder, rung);
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(rect.x + 4, base + 0.5);
  ctx.lineTo(rect.x + rect.w - 4, base + 0.5);
  ctx.stroke();
  paintNumbers(p, ladder);
}

/** The name and content of a ladder. */
export function wordsOf(ladder: Ladder): string {
  const { part, waiting, used, bin } = ladder;
  const levels = `${count(part.places)} levels`;
  const who = waiting === 0 ? levels : `${waits(waiting)} on ${count(used)} of ${levels}`;
  const binned = bin > 1 ? `, up to ${count(bin)} levels to a column` : '';
  return `${part.label}: ${who}${binned}`;
}

function paintRung(p: Pen, ladder: Ladder, rung: Rung): void {
  const { ctx, theme } = p;
  const { base, first, rect } = ladder;
  const w = Math.max(1, rung.w - (rung.w > 4 ? 1.5 : 0.4));
  const isNext = first >= rung.from && first <= rung.to;
  if (rung.count > 0) {
    // A column with threads that do not fit is shaded: darker for more.
    ctx.fillStyle = theme.core;
    ctx.fillRect(rung.x, rect.y + 20, w, base - rect.y - 20);
    // A pile that is wider than its level stands on a foot that leads to it.
    if (rung.foot > 0) {
      const [middle, half] = [rung.x + rung.w / 2, rung.pile / 2 - 1];
      ctx.fillStyle = theme.edge;
      ctx.beginPath();
      ctx.moveTo(middle - half, base - 1 - rung.foot);
      ctx.lineTo(middle + half, base - 1 - rung.foot);
      ctx.lineTo(rung.x + w, base);
      ctx.lineTo(rung.x, base);
      ctx.closePath();
      ctx.globalAlpha = 0.45;
      ctx.fill();
      ctx.globalAlpha = 1;
    }
    if (rung.shown < rung.count) {
      ctx.globalAlpha = 0.12 + 0.3 * (1 - rung.shown / rung.count);
      ctx.fillStyle = theme.ink;
      ctx.fillRect(rung.x, rect.y + 20, w, base - rect.y - 20);
      ctx.globalAlpha = 1;
    }
  }
  // The bitmap: the bit of a level with waiting threads is set; the first one is served.
  ctx.fillStyle = isNext ? theme.accent : rung.count > 0 ? theme.ink : theme.hair;
  ctx.fillRect(rung.x, base + 3, w, BIT - (rung.count > 0 ? 0 : 3));
}

function paintNumbers(p: Pen, ladder: Ladder): void {
  const { ctx, theme } = p;
  const { part, rungs, base, rect } = ladder;
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  const y = base + BIT + 10;
  let free = -Infinity;
  const [low, high] = part.focus ?? [0, part.places - 1];
  const put = (rung: Rung, isNeeded: boolean) => {
    const text = String(part.first + rung.from * part.perPlace);
    const w = widthOf(ctx, text);
    const x = Math.min(Math.max(rung.x + rung.w / 2, rect.x + w / 2), rect.x + rect.w - w / 2);
    if (x - w / 2 < free + (isNeeded ? 2 : 10)) return;
    ctx.fillText(text, x, y);
    free = x + w / 2;
  };
  for (const rung of rungs) {
    const isEdge = rung.from === 0 || rung.from === low || rung.to === high;
    if (isEdge || (rung.from > low && rung.to < high)) put(rung, isEdge);
  }
}

/** A line that fills until all priorities change, and the time until then. */
function paintBeat(p: Pen, ladder: Ladder, beat: Beat): number {
  const { ctx, theme, frame } = p;
  const { rect } = ladder;
  const past = frame.nowNs % beat.periodNs;
  const part = past / beat.periodNs;
  // A recent beat is said in words: for a quarter of a drawn second, or while time stands.
  const isNow = frame.nowNs >= beat.periodNs && past < Math.max(5e6, p.speed / 4);
  const when = isNow ? 'now' : `in ${duration(beat.periodNs - past)}`;
  const verb = beat.label.split(' ').at(-1) ?? '';
  setFont(p, 12, isNow ? 650 : 400);
  const w = Math.min(rect.w * 0.5, 150);
  const right = rect.x + rect.w - 6;
  ctx.textAlign = 'right';
  ctx.fillStyle = isNow ? theme.accent : theme.muted;
  fitOne(ctx, [`${beat.label} ${when}`, `${verb} ${when}`, when], right, rect.y + 8, w);
  ctx.fillStyle = theme.hair;
  ctx.fillRect(right - w, rect.y + 16, w, 3);
  ctx.fillStyle = theme.accent;
  ctx.fillRect(right - w, rect.y + 16, w * (isNow ? 1 : part), 3);
  return w + 12;
}
