/** What control groups with a limit had left: a row for each, below those of the CPUs. */
import { duration, exactDuration } from '../../../../lib/format';
import type { LimitNow } from '../../../../sim/types/LimitNow';
import { hatch } from '../../../machine/picture';
import { type Axis, LABEL_WIDTH, letterPx, xOf } from '../../axis';
import type { Box } from '../../tab';

/** The state of a control group from a time on, until the next state. */
export interface Budget {
  readonly atNs: number;
  readonly quotaNs: number;
  readonly leftNs: number;
  readonly isHeld: boolean;
  readonly filledAtNs: number;
}

/** Numbers of a control group in a row of the core; see its `Lane.limits_past`. */
const WIDTH = 4;

/** Reads an answer of the core: the states of each of so many control groups. */
export function budgetsOf(rows: Float64Array, groups: number): readonly (readonly Budget[])[] {
  const width = 1 + groups * WIDTH;
  const number = (at: number) => rows[at] ?? Number.NaN;
  return Array.from({ length: groups }, (_, group) => {
    const out: Budget[] = [];
    for (let row = 0; row + width <= rows.length; row += width) {
      const at = row + 1 + group * WIDTH;
      const so = { quotaNs: number(at), leftNs: number(at + 1), isHeld: number(at + 2) > 0 };
      const last = out.at(-1);
      const isSame =
        last?.quotaNs === so.quotaNs && last.leftNs === so.leftNs && last.isHeld === so.isHeld;
      if (!isSame || last.filledAtNs !== number(at + 3))
        out.push({ atNs: number(row), ...so, filledAtNs: number(at + 3) });
    }
    return out;
  });
}

/** The states until now: of what came after the answer only the present is known. */
export function untilNow(
  budgets: readonly Budget[],
  { filledAtNs, held, leftNs, quotaNs }: LimitNow,
  nowNs: number,
): readonly Budget[] {
  const known = budgets.filter(({ atNs }) => atNs <= nowNs);
  const now = { quotaNs, leftNs, isHeld: held.length > 0, filledAtNs };
  // A period that began since.
  const isNew = filledAtNs > (known.at(-1)?.atNs ?? Infinity);
  const begun = isNew ? [{ ...now, atNs: filledAtNs, isHeld: false }] : [];
  return [...known, ...begun, { ...now, atNs: nowNs }];
}

/** Height of a row of this height of all rows; 0 where the CPUs need it. */
export function budgetHeight(height: number, cpus: number, groups: number): number {
  const each = Math.min(MOST, Math.max(LEAST, (height * PART) / Math.max(1, groups)));
  return groups > 0 && height - groups * each >= cpus * LEAST_ROW ? each : 0;
}

/** Bounds of a row, its part of the height, and what rows of CPUs keep at least. */
const [LEAST, MOST, PART, LEAST_ROW] = [16, 58, 0.36, 5];
/** Space above a row. */
const GAP = 4;

/** The place and the data of a row. */
export interface BudgetRow {
  readonly top: number;
  readonly height: number;
  readonly states: readonly Budget[];
  readonly limit: LimitNow;
  readonly nowNs: number;
}

/** Spans in which it stood still. */
function* standing(states: readonly Budget[]): Iterable<readonly [number, number]> {
  let from: number | null = null;
  for (const { atNs, isHeld } of states) {
    if (isHeld) from ??= atNs;
    else if (from !== null) {
      yield [from, atNs];
      from = null;
    }
  }
  const last = states.at(-1);
  if (from !== null && last) yield [from, last.atNs];
}

/** Paints the past of a row. */
export function paintBudget(box: Box, row: BudgetRow): void {
  const { ctx, theme } = box;
  const { height, limit, states } = row;
  const top = row.top + GAP;
  const h = height - GAP;
  const most = Math.max(1, limit.quotaNs, ...states.map(({ leftNs }) => leftNs));
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, row.top, box.width - LABEL_WIDTH, height);
  ctx.clip();
  ctx.fillStyle = theme.core;
  ctx.fillRect(LABEL_WIDTH, top, xOf(box, row.nowNs) - LABEL_WIDTH, h);
  ctx.fillStyle = theme.ink;
  ctx.globalAlpha = 0.62;
  states.forEach(({ atNs, leftNs }, i) => {
    const next = states[i + 1];
    if (!next || next.atNs < box.fromNs || atNs > box.toNs) return;
    const [x0, x1] = [xOf(box, Math.max(atNs, box.fromNs)), xOf(box, next.atNs)];
    const high = (leftNs / most) * h;
    ctx.fillRect(x0, top + h - high, Math.max(0.5, x1 - x0), high);
  });
  ctx.globalAlpha = 1;
  for (const [from, to] of standing(states))
    paintStanding(box, { ...row, top, height: h }, from, to);
  paintRefills(box, row);
  ctx.restore();
  paintName(box, row);
}

/** A span in which it stood still, with its length where there is room. */
function paintStanding(box: Box, row: BudgetRow, from: number, to: number): void {
  const { ctx, theme } = box;
  const x0 = Math.max(LABEL_WIDTH, xOf(box, from));
  const x1 = Math.min(box.width, xOf(box, to));
  if (x1 - x0 < 0.5) return;
  const r = { x: x0, y: row.top, w: x1 - x0, h: row.height };
  ctx.fillStyle = theme.paper;
  ctx.fillRect(r.x, r.y, r.w, r.h);
  hatch(ctx, r, theme.ink, 1.5);
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  ctx.strokeRect(r.x + 0.5, r.y + 0.5, Math.max(0, r.w - 1), r.h - 1);
  const px = letterPx(box);
  const length = duration(to - from);
  ctx.font = `650 ${String(px)}px ${theme.sans}`;
  const words = [`stands still ${length}`, length].find(
    (text) => ctx.measureText(text).width + 12 <= r.w,
  );
  if (words !== undefined && r.h >= px) paintChip(box, words, r.x + r.w / 2, r.y + r.h / 2, r.h);
}

/** Paints words on paper, around a point, in the font that is set. */
function paintChip({ ctx, theme, ...axis }: Box, words: string, x: number, y: number, h: number) {
  const width = ctx.measureText(words).width + 10;
  const high = Math.min(h - 2, letterPx(axis) * 1.35);
  ctx.fillStyle = theme.paper;
  ctx.fillRect(x - width / 2, y - high / 2, width, high);
  ctx.fillStyle = theme.ink;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(words, x, y + 0.5);
}

/** Lines at the times at which it got time. */
function paintRefills(box: Box, { top, height, states, nowNs }: BudgetRow): void {
  const { ctx, theme } = box;
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1.25;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  for (const at of new Set(states.map(({ filledAtNs }) => filledAtNs))) {
    if (at <= 0 || at < box.fromNs || at > nowNs) continue;
    const x = Math.round(xOf(box, at)) + 0.5;
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
  }
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The name before the row; in front of a class it has no room there, and stands at the beginning of the row. */
function paintName(box: Box, { top, height, limit }: BudgetRow): void {
  const { ctx, theme } = box;
  const px = letterPx(box);
  const [h, y] = [height - GAP, top + GAP + (height - GAP) / 2];
  if (h < px) return;
  ctx.font = `600 ${String(px)}px ${theme.sans}`;
  const room = box.isLarge ? (box.width - LABEL_WIDTH) / 3 : LABEL_WIDTH - 4;
  let name = limit.name;
  while (name.length > 1 && ctx.measureText(name).width > room) name = name.slice(0, -1);
  if (box.isLarge) {
    paintChip(box, name, LABEL_WIDTH + 10 + ctx.measureText(name).width / 2, y, h);
    return;
  }
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.ink;
  ctx.fillText(name, LABEL_WIDTH - 4, y + 0.5);
}

/** Paints the time to come, if it stands still: an empty box until it gets time again. It is above the paler future. */
export function paintAhead(box: Box, { top, height, limit, nowNs }: BudgetRow): void {
  const { ctx, theme } = box;
  const { held, quotaNs, refillAtNs } = limit;
  if (refillAtNs <= nowNs || nowNs < box.fromNs) return;
  const [x0, x1] = [xOf(box, nowNs), xOf(box, refillAtNs)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, box.width - LABEL_WIDTH, box.height);
  ctx.clip();
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1.25;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  ctx.moveTo(Math.round(x1) - 0.5, top);
  ctx.lineTo(Math.round(x1) - 0.5, top + height);
  ctx.stroke();
  ctx.setLineDash([]);
  if (held.length > 0) {
    const r = { x: x0 + 1, y: top + GAP, w: x1 - x0 - 2, h: height - GAP };
    ctx.fillStyle = theme.paper;
    ctx.fillRect(r.x, r.y, r.w, r.h);
    ctx.strokeStyle = theme.edge;
    ctx.lineWidth = 1.5;
    ctx.setLineDash([5, 4]);
    ctx.strokeRect(r.x, r.y + 0.75, r.w, r.h - 1.5);
    ctx.setLineDash([]);
    paintUntil(box, r, duration(refillAtNs - nowNs), `+ ${exactDuration(quotaNs)}`);
  }
  ctx.restore();
}

function paintUntil(
  { ctx, theme, ...axis }: Box,
  r: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  left: string,
  gets: string,
): void {
  const small = letterPx(axis);
  const seen = Math.min(r.w, axis.width - r.x);
  const large = Math.min(small * 1.6, r.h * 0.8);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.ink;
  ctx.font = `650 ${String(large)}px ${theme.sans}`;
  let px = large;
  while (px > 10 && ctx.measureText(left).width > seen - 4) {
    px -= 1;
    ctx.font = `650 ${String(px)}px ${theme.sans}`;
  }
  if (ctx.measureText(left).width > seen - 4) return;
  const hasBoth = r.h >= large + small * 1.4;
  const y = r.y + r.h / 2 + 0.5 - (hasBoth ? small * 0.6 : 0);
  ctx.fillText(left, r.x + seen / 2, y);
  ctx.font = `${String(small)}px ${theme.sans}`;
  if (hasBoth && ctx.measureText(gets).width <= seen - 4)
    ctx.fillText(gets, r.x + seen / 2, y + px * 0.5 + small * 0.75);
}

/** The row at a height, in words; null if there is none. */
export function tellBudget(
  axis: Axis,
  rows: readonly BudgetRow[],
  y: number,
  ns: number,
): string | null {
  const row = rows.find(({ top, height }) => y >= top && y < top + height);
  if (!row) return null;
  const { limit, states, nowNs } = row;
  const now = states.findLast(({ atNs }) => atNs <= ns);
  if (!now || ns > nowNs || ns < axis.fromNs) return `control group ${limit.name}`;
  return now.isHeld
    ? `control group ${limit.name} stands still`
    : `control group ${limit.name} has ${duration(now.leftNs)} of ${exactDuration(now.quotaNs)} left`;
}
