/** Lines over time, one for each thread; the selected one on top. */
import { taskHue } from '../../../lib/thread-hues';
import type { Series } from '../../../sim/samples';
import { xOf } from '../axis';
import type { ChartPicture } from './picture';

/** Paints a line for each series, between the values `low` and `high`; as steps if values hold for a span. */
export function lines(
  p: ChartPicture,
  series: readonly Series[],
  low: number,
  high: number,
  steps: boolean,
): void {
  const { ctx, theme, samples, names } = p;
  const order = series.map((_, i) => i).sort((a) => (samples.tasks[a] === p.selected ? 1 : -1));
  for (const k of order) {
    const s = series[k];
    const task = samples.tasks[k] ?? -1;
    if (!s) continue;
    const isIt = task === p.selected;
    ctx.globalAlpha = p.selected === null || isIt ? 1 : 0.3;
    ctx.lineWidth = isIt ? 2.2 : 1.1;
    ctx.strokeStyle = isIt ? theme.ink : theme.of(taskHue(names, task).fill);
    ctx.beginPath();
    s.values.forEach((v, i) => {
      if (!Number.isFinite(v)) return;
      const y = p.height - ((v - low) / (high - low)) * p.height;
      ctx.lineTo(xOf(p, s.times[i] ?? 0), y);
      // A mean over a span, like a state, holds until the next value.
      if (steps) ctx.lineTo(xOf(p, s.times[i + 1] ?? 0), y);
    });
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}
