/** Patterns of overhead, so that colour is not the only difference; the legend shows the same. */

/** How lines lie. */
export type Pattern = 'crossed' | 'slanted' | 'upright' | 'level';

/** The pattern of a cause of lost time, if it is overhead. */
export const PATTERN_OF: Readonly<Record<string, Pattern>> = {
  lockWait: 'crossed',
  switch: 'slanted',
  warmUp: 'upright',
  tick: 'level',
};

/** Traces the lines of a pattern over a rectangle; the caller has to clip. */
export function traceLines(
  ctx: CanvasRenderingContext2D,
  pattern: Pattern,
  r: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
): void {
  const { x, y, w, h } = r;
  ctx.beginPath();
  if (pattern === 'level') {
    for (let at = y + 1.5; at < y + h; at += 3) {
      ctx.moveTo(x, at);
      ctx.lineTo(x + w, at);
    }
    return;
  }
  // A limited number of lines, however far the user zooms in.
  const step = Math.max(4, w / 400);
  const lean = pattern === 'upright' ? 0 : h;
  for (let at = x - lean; at < x + w + lean; at += step) {
    ctx.moveTo(at, y + h);
    ctx.lineTo(at + lean, y);
    if (pattern !== 'crossed') continue;
    ctx.moveTo(at, y);
    ctx.lineTo(at + lean, y + h);
  }
}
