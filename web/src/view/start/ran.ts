/** The slices of each CPU in a recent span, as one path for each hue. */
import { taskHue } from '../../lib/thread-hues';
import type { Shot } from '../../state/preview.svelte';

/** Where rows are drawn. */
export interface Rows {
  /** The top of the row of each CPU; other CPUs are left out. */
  readonly tops: readonly number[];
  readonly height: number;
  readonly width: number;
}

/** Custom property of a hue, and the path of all its slices in the last `windowNs`. */
export function ranPaths(
  { lane, nowNs }: Shot,
  windowNs: number,
  rows: Rows,
): readonly (readonly [fill: string, d: string])[] {
  const found = new Map<string, string>();
  const from = nowNs - windowNs;
  const at = (ns: number) => (Math.min(windowNs, Math.max(0, ns - from)) / windowNs) * rows.width;
  rows.tops.forEach((y, cpu) => {
    const slices = lane.history.slices[cpu] ?? [];
    const top = y.toFixed(1);
    for (const slice of slices) {
      if (slice.to <= from || slice.task < 0 || lane.isBackground(slice.task)) continue;
      const { fill } = taskHue(lane.names, slice.task);
      const [left, right] = [at(slice.from).toFixed(1), at(slice.to).toFixed(1)];
      const bar = `M${left} ${top}H${right}v${rows.height.toFixed(1)}H${left}z`;
      found.set(fill, (found.get(fill) ?? '') + bar);
    }
  });
  return [...found];
}
