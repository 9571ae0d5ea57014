/** The ground of rows: one per CPU, siblings side by side, with their numbers. */
import type { Theme } from '../../lib/color';
import { LABEL_WIDTH } from './axis';
import type { Rows } from './rows';

/** Digits stand higher than the middle of their line, by so much of their size. */
export const DIGITS = 0.1;

/** Size of labels in CSS pixels: what would be smaller is left out. */
export const LABEL_PX = 12;

/** Lower rows than this are not told by their numbers. */
const LOWEST = 4;

/** The ground of the rows, and their labels. */
export function paintGround(p: {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly width: number;
  readonly rows: Rows;
}): void {
  const { ctx, theme, width, rows } = p;
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.core;
  for (const cpu of rows.order)
    ctx.fillRect(LABEL_WIDTH, rows.top[cpu] ?? 0, width - LABEL_WIDTH, rows.height);
  ctx.fillStyle = theme.muted;
  ctx.font = `${String(LABEL_PX)}px ${theme.sans}`;
  // Where rows are too low for their numbers, the caches and nodes that they belong to have names.
  if (rows.height < LOWEST && rows.marks.length > 0) {
    ctx.textAlign = 'left';
    const apart = asFar(rows.marks, ({ y }) => y);
    for (const { name, y } of apart) ctx.fillText(name.replace('node ', 'n'), 0, y + LABEL_PX / 2);
    return;
  }
  ctx.textAlign = 'right';
  const middle = (cpu: number) => (rows.top[cpu] ?? 0) + rows.height / 2 + LABEL_PX * DIGITS;
  for (const cpu of asFar(rows.order, middle))
    ctx.fillText(String(cpu), LABEL_WIDTH - 6, Math.max(LABEL_PX / 2, middle(cpu)));
}

/** As many as have room for a label, from the first on. */
function asFar<T>(all: readonly T[], yOf: (one: T) => number): readonly T[] {
  let last = -Infinity;
  return all.filter((one) => {
    const y = yOf(one);
    if (y - last < LABEL_PX) return false;
    last = y;
    return true;
  });
}
