/** Paints control groups with a limit: what is left of their time, and a clock until they get more. */
import { duration, exactDuration, percent, clock } from '../../lib/format';
import type { Rect } from '../../lib/geom';
import type { LimitNow } from '../../sim/types/LimitNow';
import { isBelow } from '../../state/held';
import { limitParts } from './limit-box';
import { fitOne, hatch, type Picture, roundRect, setFont } from './picture';

/** Height of a line of words, and of the bar of what is left. */
const LINE = 17;
const BAR = 11;

/** Paints all boxes; their threads are painted later. */
export function paintLimits(p: Picture): void {
  p.layout.limits.forEach((rect, i) => {
    const limit = p.limits[i];
    if (limit) paintLimit(p, rect, limit);
  });
}

function paintLimit(p: Picture, rect: Rect, limit: LimitNow): void {
  const { ctx, theme } = p;
  const isHeld = limit.held.length > 0;
  ctx.save();
  roundRect(ctx, rect, 10);
  ctx.fillStyle = isHeld ? theme.core : theme.paper;
  ctx.fill();
  if (isHeld) {
    ctx.clip();
    hatch(ctx, rect, theme.hair);
  }
  ctx.restore();
  ctx.lineWidth = isHeld ? 1.5 : 1;
  ctx.strokeStyle = isHeld ? theme.edge : theme.hair;
  roundRect(ctx, rect, 10);
  ctx.stroke();
  paintClock(p, rect, limit);
  paintWords(p, rect, limit);
}

/** The part of the period that is left, with the time in words. */
function paintClock(p: Picture, rect: Rect, { held, periodNs, refillAtNs }: LimitNow): void {
  const { ctx, frame, theme } = p;
  const { ring } = limitParts(rect);
  const width = Math.max(3, ring.r * 0.18);
  const r = ring.r - width / 2 - 1;
  const leftNs = Math.max(0, refillAtNs - frame.nowNs);
  ctx.beginPath();
  ctx.arc(ring.x, ring.y, ring.r, 0, 2 * Math.PI);
  ctx.fillStyle = theme.paper;
  ctx.fill();
  ctx.lineWidth = width;
  ctx.strokeStyle = theme.hair;
  ctx.beginPath();
  ctx.arc(ring.x, ring.y, r, 0, 2 * Math.PI);
  ctx.stroke();
  if (refillAtNs <= 0) return;
  const part = Math.min(1, leftNs / periodNs);
  ctx.strokeStyle = held.length > 0 ? theme.ink : theme.muted;
  ctx.beginPath();
  ctx.arc(ring.x, ring.y, r, -Math.PI / 2, -Math.PI / 2 + part * 2 * Math.PI);
  ctx.stroke();
  const room = 2 * (r - width / 2) - 2;
  const hasCaption = held.length > 0 && ring.r >= 30;
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.ink;
  setFont(p, Math.max(11, Math.min(21, ring.r * 0.42)), 650);
  const whole = exactDuration(Math.round(leftNs / 1e6) * 1e6);
  const at = ring.y + (hasCaption ? -ring.r * 0.08 : 1);
  fitOne(ctx, [duration(leftNs), whole, ''], ring.x, at, room);
  if (!hasCaption) return;
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  fitOne(ctx, ['back in', ''], ring.x, ring.y + ring.r * 0.32, room * 0.8);
}

/** Name, bar, and what is so now; as many lines as there is room for. */
function paintWords(p: Picture, rect: Rect, limit: LimitNow): void {
  const { ctx, frame, theme } = p;
  const { words } = limitParts(rect);
  const { held, name, quotaNs, periodNs, leftNs, refillAtNs } = limit;
  const isHeld = held.length > 0;
  const [quota, period] = [exactDuration(quotaNs), exactDuration(periodNs)];
  const more = Math.floor((words.h - 2 * LINE - BAR) / LINE);
  const height = 2 * LINE + BAR + Math.max(0, Math.min(2, more)) * LINE;
  let y = words.y + Math.max(0, words.h - height) / 2 + LINE / 2;
  const write = (texts: readonly [string, ...string[]], weight: number, isQuiet = false) => {
    setFont(p, 12.5, weight);
    ctx.textAlign = 'left';
    ctx.fillStyle = isQuiet ? theme.muted : theme.ink;
    fitOne(ctx, texts, words.x, y, words.w);
    y += LINE;
  };
  write([`${name}: ${quota} of each ${period}`, `${name}: ${quota} of ${period}`, name], 650);
  const bar = { x: words.x, y: y - LINE / 2 + 1, w: words.w, h: BAR - 2 };
  paintBar(p, bar, Math.min(1, leftNs / Math.max(1, quotaNs)), isHeld);
  y += BAR;
  if (isHeld) {
    const since = Math.min(...held.map(({ sinceNs }) => sinceNs));
    write([`stands still since ${clock(since)}`, 'stands still'], 650);
  } else write([`${duration(leftNs)} of ${quota} left`, `${duration(leftNs)} left`], 400);
  if (more >= 1)
    write(
      refillAtNs > 0
        ? [`the next ${quota} come at ${clock(refillAtNs)}`, `next at ${clock(refillAtNs)}`, '']
        : ['nobody has used it', ''],
      400,
      true,
    );
  if (more >= 2 && frame.nowNs > 0) {
    const used = percent(usedNs(p, limit) / frame.nowNs);
    const allowed = percent(quotaNs / periodNs);
    write(
      [
        `on average ${used} of a CPU, allowed ${allowed}`,
        `average ${used}, allowed ${allowed}`,
        `${used} of ${allowed}`,
      ],
      400,
      true,
    );
  }
}

/** CPU time of all threads below a limit, since the run began. */
function usedNs({ frame, names }: Picture, limit: LimitNow): number {
  const run = frame.task('runNs');
  let all = 0;
  for (let task = 0; task < frame.tasks; task++)
    if (isBelow({ names }, limit, task)) all += run[task] ?? 0;
  return all;
}

function paintBar({ ctx, theme }: Picture, bar: Rect, part: number, isHeld: boolean): void {
  roundRect(ctx, bar, 3);
  ctx.fillStyle = theme.paper;
  ctx.fill();
  ctx.save();
  ctx.clip();
  if (isHeld) hatch(ctx, bar, theme.ink);
  ctx.fillStyle = theme.ink;
  if (!isHeld) ctx.fillRect(bar.x, bar.y, bar.w * part, bar.h);
  ctx.restore();
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  roundRect(ctx, bar, 3);
  ctx.stroke();
}
