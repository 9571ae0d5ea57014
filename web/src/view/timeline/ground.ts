/** The ground of rows: one per CPU, siblings adjacent, with their numbers. */
import type { Theme } from '../../lib/color';
import { LABEL_WIDTH, letterPx } from './axis';
import { numberSize, numbersOf, numberY, type Rows } from './rows';

/** Offset of small digits from the middle of their line, as a part of their size; large ones need none. */
const DIGITS = 0.1;

/** How far below the middle of a row its digits are written. */
export function digitsBelow(axis: { readonly isLarge?: boolean }): number {
  return axis.isLarge === true ? 0 : DIGITS * letterPx(axis);
}

/** Rows that are lower than this have no numbers. */
const LOWEST = 4;

/** The ground of the rows, and their labels. */
export function paintGround(p: {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly width: number;
  readonly rows: Rows;
  readonly isLarge?: boolean;
}): void {
  const { ctx, theme, width, rows } = p;
  const px = letterPx(p);
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.core;
  for (const cpu of rows.order)
    ctx.fillRect(LABEL_WIDTH, rows.top[cpu] ?? 0, width - LABEL_WIDTH, rows.height);
  ctx.fillStyle = theme.muted;
  ctx.font = `${String(px)}px ${theme.sans}`;
  // Where rows are too low for numbers, caches and nodes are named instead.
  if (rows.height < LOWEST && rows.marks.length > 0) {
    ctx.textAlign = 'left';
    const apart = asFar(rows.marks, ({ y }) => y, px);
    for (const { name: whole, y } of apart) {
      const name = whole.replace('node ', 'n');
      const isWide = ctx.measureText(name).width > LABEL_WIDTH;
      ctx.fillText(isWide ? name.replace(/^\D+/, '') : name, 0, y + px / 2);
    }
    return;
  }
  ctx.textAlign = 'right';
  // Large digits need all of the room.
  const right = LABEL_WIDTH - (p.isLarge ? 1 : 4);
  const size = numberSize(rows, px, right);
  ctx.font = `${String(size)}px ${theme.sans}`;
  const numbers = numbersOf(rows, size, right);
  const columns = 1 + Math.max(0, ...numbers.map(({ column }) => column));
  for (const { cpu, column } of numbers) {
    const y = numberY(rows, cpu, size, digitsBelow(p));
    ctx.fillText(String(cpu), right - (column * right) / columns, y, right);
  }
}

/** As many labels as fit, from the first one on. */
function asFar<T>(all: readonly T[], yOf: (one: T) => number, px: number): readonly T[] {
  let last = -Infinity;
  return all.filter((one) => {
    const y = yOf(one);
    if (y - last < px) return false;
    last = y;
    return true;
  });
}
