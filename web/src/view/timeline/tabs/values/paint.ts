/** A value that the scheduler keeps of threads, over time. */
import { withUnit } from '../../../../lib/format';
import { lines } from '../../chart/lines';
import { type ChartPicture, clip, note } from '../../chart/picture';

/** A column of the scheduler for the requested threads. */
export function paintValues(p: ChartPicture, column: number, unit: string): void {
  const { ctx, samples } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  const series = samples.tasks.map((t) => ({
    times: samples.times,
    values: samples.own(t, column),
  }));
  const all = series.flatMap((s) => s.values).filter((v) => Number.isFinite(v));
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  if (all.length === 0) {
    note(p, 'nothing of this kind here', p.height / 2);
    return;
  }
  const room = (high - low) * 0.05 || 1;
  clip(p, () => {
    lines(p, series, low - room, high + room, false);
  });
  note(p, withUnit(high, unit), 7);
  note(p, withUnit(low, unit), p.height - 7);
}
