/** Paints lines of virtual time: V, the bars from virtual runtime to deadline, who is next, and the axis under them. */
import { count, duration, waits } from '../../../lib/format';
import { ticks } from '../../../lib/scale';
import { MS } from '../../../lib/units';
import {
  hatch,
  fitOne,
  hueOf,
  type Pen,
  rimOf,
  roundRect,
  setFont,
  strengthOf,
  widthOf,
} from '../picture';
import type { LineEntity } from '../../../sim/types/LineEntity';
import { groupName } from './input';
import type { Bar, DrawnLine, LineBin } from './virtual-time';

/** The weight of nice 0. */
const NICE_0 = 1_024;

/** The name of a line, and the numbers of its waiting and delayed threads; the longest first. */
function lineNames(
  { names }: Pen,
  { line, waiting, delayed }: DrawnLine,
): readonly [string, ...string[]] {
  const group = groupName(names, line.group);
  const [whose, short] =
    line.group === 0 ? ['queue of the cpu', 'the cpu'] : [`queue of ${group}`, group];
  const wait = waiting > 0 ? [waits(waiting)] : [];
  const tell = (of: string, asleep: string) => {
    const who = [...wait, ...(delayed > 0 ? [`${count(delayed)} ${asleep}`] : [])].join(', ');
    return who === '' ? of : `${of}: ${who}`;
  };
  return [
    tell(whose, 'asleep with time to pay back'),
    tell(whose, 'asleep'),
    tell(short, 'asleep'),
  ];
}

/** Words for the end of a bar; the longest first. */
function wordsOf({ line }: DrawnLine, bar: Bar): readonly string[] {
  const { entity } = bar;
  if (entity.delayed) return ['asleep: leaves once it is owed time', 'asleep', ''];
  if (entity.running && entity.next)
    return entity.protected
      ? ['runs, until its request is used up', 'runs', '']
      : [line.entities.length > 1 ? 'runs, and would be picked again' : 'runs', 'runs', ''];
  if (entity.running) return ['runs', ''];
  if (entity.next) return ['next: earliest deadline of those owed time', 'next', ''];
  return [...weightOf(entity), ''];
}

/** What a thread weighs, where that is not the weight of nice 0: by its nice value, or as its groups leave it. */
function weightOf({ task, weight }: LineEntity): [] | [string] {
  return task === null || weight === NICE_0 ? [] : [`weight ${count(Math.round(weight))}`];
}

/** Paints the ground of a line; its threads are painted later. */
export function paintVirtualTime(p: Pen, drawn: DrawnLine): void {
  const { ctx, theme } = p;
  setFont(p, 12.5, 600);
  ctx.fillStyle = theme.ink;
  ctx.textAlign = 'left';
  fitOne(ctx, lineNames(p, drawn), 5, drawn.top + 9, drawn.left + drawn.width + 10);
  paintAxis(p, drawn);
  for (const bar of drawn.bars) paintBar(p, bar);
  if (drawn.bins.length > 0) paintBins(p, drawn);
}

/** Parts above the threads: the mark of the next thread, and words. */
export function paintVirtualMarks(p: Pen, drawn: DrawnLine): void {
  const { ctx, theme } = p;
  for (const bar of drawn.bars) {
    const { entity, from, to, x: token, y, size } = bar;
    if (entity.next) {
      const half = size / 2 + 2;
      ctx.strokeStyle = theme.accent;
      ctx.lineWidth = 2;
      roundRect(ctx, { x: token - half, y: y - half, w: 2 * half, h: 2 * half }, size * 0.28);
      ctx.stroke();
    }
    if (size < 9 && !entity.next && !entity.running && !entity.delayed) continue;
    const [first, ...others] = wordsOf(drawn, bar);
    if (first === undefined || first === '') continue;
    setFont(p, 12, entity.next ? 650 : 400);
    ctx.fillStyle = entity.next ? theme.accent : theme.muted;

    const end = Math.max(from, to) + 6;
    const right = drawn.left + drawn.width + 14;
    const room = right - end;
    const start = Math.min(from, to) - 6;
    const before = start - drawn.left - 4;
    const isRight = room >= Math.min(before, widthOf(ctx, others[0] ?? first)) || room >= before;
    const width = isRight ? room : before;
    const text = [first, ...others].find((t) => widthOf(ctx, t) <= width) ?? '';
    if (text === '') continue;
    paintWords(p, text, isRight ? end : start, y, isRight);
  }
}

/** Words with a background, so that V does not cross them. */
function paintWords(
  { ctx, theme }: Pen,
  text: string,
  x: number,
  y: number,
  isRight: boolean,
): void {
  const ink = ctx.fillStyle;
  const w = widthOf(ctx, text);
  ctx.fillStyle = theme.paper;
  ctx.globalAlpha = 0.85;
  ctx.fillRect(isRight ? x - 2 : x - w - 2, y - 7, w + 4, 14);
  ctx.globalAlpha = 1;
  ctx.fillStyle = ink;
  ctx.textAlign = isRight ? 'left' : 'right';
  ctx.fillText(text, x, y + 0.5);
}

/**
 * From virtual runtime to deadline: full for a thread with positive lag, hollow for one that is ahead, hatched for a
 * sleeping one.
 */
function paintBar(p: Pen, { entity, from, to, x, y, thick, size }: Bar): void {
  const { ctx, theme } = p;
  const { task } = entity;
  const hue = task === null ? theme.muted : hueOf(p, task);
  const rim = task === null ? theme.ink : rimOf(p, task);
  const box = {
    x: Math.min(from, to),
    y: y - thick / 2,
    w: Math.max(2, Math.abs(to - from)),
    h: thick,
  };
  ctx.globalAlpha = task === null ? 1 : strengthOf(p, task);
  // A thin line leads from the token to its bar.
  ctx.fillStyle = theme.edge;
  ctx.fillRect(x + size / 2, Math.round(y) - 0.5, Math.max(0, box.x - x - size / 2), 1);
  if (entity.delayed) hatch(ctx, box, rim);
  else if (entity.eligible) {
    ctx.fillStyle = hue;
    ctx.fillRect(box.x, box.y, box.w, box.h);
  }
  ctx.lineWidth = thick < 5 ? 1 : 1.5;
  ctx.strokeStyle = rim;
  if (entity.delayed) ctx.setLineDash([4, 3]);
  ctx.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
  ctx.setLineDash([]);
  // The deadline ends the bar with a stroke, so that the end of a hollow bar is visible.
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(to, y - thick / 2 - 2);
  ctx.lineTo(to, y + thick / 2 + 2);
  ctx.stroke();
  if (task === null) paintGroup(p, x, y, size);
  ctx.globalAlpha = 1;
}

/** Groups have no token of their own. */
function paintGroup({ ctx, theme }: Pen, x: number, y: number, size: number): void {
  ctx.fillStyle = theme.slot;
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1;
  roundRect(ctx, { x: x - size / 2, y: y - size / 2, w: size, h: size }, size * 0.24);
  ctx.fill();
  ctx.stroke();
}

function paintAxis(p: Pen, drawn: DrawnLine): void {
  const { ctx, theme } = p;
  const { base, left, width, fromNs, spanNs } = drawn;
  const toX = (ns: number) => left + ((ns - fromNs) / spanNs) * width;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(left, base + 0.5);
  ctx.lineTo(left + width, base + 0.5);
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  const zero = toX(0);
  let last = -Infinity;
  for (const t of ticks(fromNs / MS, (fromNs + spanNs) / MS, 4)) {
    const x = Math.round(toX(t * MS)) + 0.5;
    ctx.moveTo(x, base);
    ctx.lineTo(x, base + 4);
    if (t === 0) continue;
    const text = `${t > 0 ? '+' : '−'}${duration(Math.abs(t) * MS)}`;
    const half = widthOf(ctx, text) / 2;
    const isFree = Math.abs(x - zero) > half + 10 && x - half > Math.max(0, last + 8);
    if (!isFree || x + half > left + width + 16) continue;
    ctx.fillText(text, x, base + 12);
    last = x + half;
  }
  ctx.stroke();
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 1.75;
  ctx.beginPath();
  ctx.moveTo(zero, drawn.top + 20);
  ctx.lineTo(zero, base + 5);
  ctx.stroke();
  setFont(p, 13, 650);
  ctx.fillStyle = theme.accent;
  ctx.fillText('V', zero, base + 12);
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'right';
  const y = base + 28;
  // Only among waiting threads: the running thread is no candidate.
  const waiting = drawn.line.entities.filter((e) => !e.running);
  if (waiting.some((e) => e.eligible))
    fitOne(ctx, ['owed time: may run', 'may run', ''], zero - 8, y, zero - 12);
  ctx.textAlign = 'left';
  if (waiting.some((e) => !e.eligible))
    fitOne(
      ctx,
      ['ahead of its share: must wait', 'must wait', ''],
      zero + 8,
      y,
      left + width - zero,
    );
  const legend = [
    'a bar: virtual runtime to deadline · V: the average runtime',
    'bar: virtual runtime to deadline · V: average',
    'bar: virtual runtime to deadline',
  ] as const;
  fitOne(ctx, legend, 6, base + 44, left + width + 6);
}

/** Counts of threads without a row, by place: full columns are eligible, hollow ones must wait. */
function paintBins(p: Pen, drawn: DrawnLine): void {
  const { ctx, theme } = p;
  const most = Math.max(1, ...drawn.bins.map((b) => Math.max(b.eligible, b.ahead)));
  const room = drawn.base - drawn.binsTop - 28;
  const sum = (of: (b: LineBin) => number) => drawn.bins.reduce((all, b) => all + of(b), 0);
  const [may, must] = [sum((b) => b.eligible), sum((b) => b.ahead)];
  const zero = drawn.bins.find((b) => b.ahead > 0)?.from ?? drawn.left + drawn.width;
  setFont(p, 12, 600);
  ctx.fillStyle = theme.ink;
  const y = drawn.binsTop + 12;
  ctx.textAlign = 'right';
  if (may > 0)
    fitOne(
      ctx,
      [`${count(may)} more may run`, `${count(may)} may run`, `+${count(may)}`],
      zero - 8,
      y,
      zero - drawn.left + 4,
    );
  ctx.textAlign = 'left';
  const right = drawn.left + drawn.width - zero;
  if (must > 0)
    fitOne(ctx, [`${count(must)} more must wait`, `+${count(must)}`], zero + 8, y, right);
  for (const { from, to, eligible, ahead } of drawn.bins) {
    const n = eligible + ahead;
    if (n === 0) continue;
    const h = Math.max(2, (n / most) * room);
    const box = { x: from + 1, y: drawn.base - h, w: Math.max(1, to - from - 2), h };
    if (eligible > 0) {
      ctx.fillStyle = theme.ink;
      ctx.globalAlpha = 0.55;
      ctx.fillRect(box.x, box.y, box.w, box.h);
      ctx.globalAlpha = 1;
    } else {
      ctx.strokeStyle = theme.ink;
      ctx.lineWidth = 1.25;
      ctx.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h);
    }
  }
}
