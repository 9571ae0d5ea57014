/** Stacked areas: parts of a whole over time. */
import type { Series } from '../../../sim/samples';
import { LABEL_WIDTH, xOf } from '../axis';
import { type Pattern, traceLines } from '../pattern';
import type { ChartPicture } from './picture';

/** Paints stacked series, each in its colour and pattern. */
export function area(
  p: ChartPicture,
  series: readonly Series[],
  colours: readonly string[],
  most: number,
  patterns: readonly (Pattern | undefined)[] = [],
): void {
  const { ctx, height } = p;
  const below = new Float64Array(series[0]?.values.length ?? 0);
  series.forEach((s, k) => {
    ctx.fillStyle = colours[k] ?? p.theme.muted;
    ctx.beginPath();
    const line = (i: number, values: (i: number) => number) => {
      const y = height - (values(i) / most) * height;
      return [xOf(p, s.times[i] ?? 0), xOf(p, s.times[i + 1] ?? 0), y] as const;
    };
    for (let i = 0; i < s.values.length; i++) {
      const [x0, x1, y] = line(i, (j) => (below[j] ?? 0) + (s.values[j] ?? 0));
      ctx.lineTo(x0, y);
      ctx.lineTo(x1, y);
    }
    for (let i = s.values.length - 1; i >= 0; i--) {
      const [x0, x1, y] = line(i, (j) => below[j] ?? 0);
      ctx.lineTo(x1, y);
      ctx.lineTo(x0, y);
    }
    ctx.fill();
    const pattern = patterns[k];
    if (pattern) {
      ctx.save();
      ctx.clip();
      ctx.strokeStyle = p.theme.paper;
      ctx.lineWidth = 1;
      traceLines(ctx, pattern, { x: LABEL_WIDTH, y: 0, w: p.width - LABEL_WIDTH, h: height });
      ctx.stroke();
      ctx.restore();
    }
    s.values.forEach((v, i) => {
      below[i] = (below[i] ?? 0) + v;
    });
  });
}
