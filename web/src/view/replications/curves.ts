/** From what runs gave to curves: means over the seeds with their confidence intervals. Pure arithmetic. */

import { csv } from '../../lib/csv';
import type { Scenario } from '../../sim/types/Scenario';

/** A place on a curve. */
export interface Point {
  readonly x: number;
  readonly y: number;
  /** Ends of the 95 % confidence interval of the mean; both `y` with one seed. */
  readonly low: number;
  readonly high: number;
  /** Seeds. */
  readonly n: number;
}

/** A line of a chart. */
export interface Curve {
  readonly name: string;
  /** Published points are drawn as rings, what was before a change as a thin line. */
  readonly kind: 'simulated' | 'before' | 'published';
  /** Number of its hue. */
  readonly hue: number;
  readonly points: readonly Point[];
  /** For published ones: how the numbers came about. */
  readonly provenance?: 'measured' | 'stated' | 'inferred';
}

/** Where a run belongs in a chart, or null if it does not. */
export type Place = { readonly series: string; readonly x: number } | null;

/** What runs gave, as the state has it. */
export interface Sample {
  readonly words: readonly string[];
  readonly values: ArrayLike<number>;
}

/** What a point opens: the moment of the run that matters, and what to look at there. */
export interface Moment {
  /** Time in ns, for a place on the x axis. */
  atNs(x: number, scenario: Scenario): number;
  readonly look: string;
}

/** What a chart shows of the runs of an experiment. */
export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  /** Definition of what is on the y axis, in a sentence. */
  readonly definition: string;
  readonly x: { readonly label: string; readonly log?: boolean };
  readonly y: { readonly label: string; readonly unit: string; readonly log?: boolean };
  /** Names of the series, in the order of their hues. */
  readonly series: readonly string[];
  place(words: readonly string[]): Place;
  value(values: ArrayLike<number>, words: readonly string[]): number;
  /** For curves over time: all that a run has to show, instead of one place and one value. */
  over?(
    values: ArrayLike<number>,
    words: readonly string[],
  ): Iterable<{ readonly series: string; readonly x: number; readonly y: number }>;
  /** Curves are divided by what this series (or each its own, if left out) has at `x`. */
  readonly relativeTo?: { readonly series?: string; readonly x: number };
  readonly published?: readonly Curve[];
  /** Where it differs from that of the page. */
  readonly moment?: Moment;
}

/** Two-sided 95 % quantiles of Student's t for 1, 2, … degrees of freedom. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
const STUDENT_MANY = 2.0;

/** Mean and 95 % confidence interval. */
export function summary(x: number, values: readonly number[]): Point {
  const n = values.length;
  const y = values.reduce((sum, v) => sum + v, 0) / n;
  if (n < 2) return { x, y, low: y, high: y, n };
  const variance = values.reduce((sum, v) => sum + (v - y) ** 2, 0) / (n - 1);
  const half = (STUDENT[n - 2] ?? STUDENT_MANY) * Math.sqrt(variance / n);
  return { x, y, low: y - half, high: y + half, n };
}

function scaled(point: Point, by: number): Point {
  return { ...point, y: point.y / by, low: point.low / by, high: point.high / by };
}

/** The curves of a chart; the points that are not there yet are simply missing. */
export function curvesOf(
  spec: ChartSpec,
  samples: readonly Sample[],
  kind: 'simulated' | 'before' = 'simulated',
): Curve[] {
  const bySeries = new Map<string, Map<number, number[]>>();
  for (const { words, values } of samples) {
    const place = spec.place(words);
    if (!place) continue;
    const all = spec.over?.(values, words) ?? [{ ...place, y: spec.value(values, words) }];
    for (const { series: name, x, y } of all) {
      if (!Number.isFinite(y)) continue;
      const series = bySeries.get(name) ?? new Map<number, number[]>();
      bySeries.set(name, series);
      const at = series.get(x);
      if (at) at.push(y);
      else series.set(x, [y]);
    }
  }
  const curves = spec.series.flatMap((name, hue): Curve[] => {
    const points = [...(bySeries.get(name) ?? [])]
      .map(([x, values]) => summary(x, values))
      .sort((a, b) => a.x - b.x);
    return points.length > 0 ? [{ name, kind, hue, points }] : [];
  });
  const { relativeTo } = spec;
  if (!relativeTo) return curves;
  return curves.flatMap((curve) => {
    const of = curves.find((c) => c.name === (relativeTo.series ?? curve.name));
    const one = of?.points.find((p) => p.x === relativeTo.x)?.y;
    if (one === undefined) return [];
    return [{ ...curve, points: curve.points.map((p) => scaled(p, one)) }];
  });
}

/** A published curve out of the rows of a table. */
export function published(
  name: string,
  hue: number,
  provenance: 'measured' | 'stated' | 'inferred',
  rows: readonly (readonly [number, number])[],
): Curve {
  const points = rows.map(([x, y]) => ({ x, y, low: y, high: y, n: 1 }));
  return { name, kind: 'published', hue, points, provenance };
}

/** The point of a curve at a place; over time the latest one that is not after it, while the curve lasts. */
export function pointAt(curve: Curve, x: number, isOverTime: boolean): Point | undefined {
  if (!isOverTime || curve.kind === 'published') return curve.points.find((p) => p.x === x);
  const last = curve.points.at(-1);
  return last && last.x >= x ? curve.points.findLast((p) => p.x <= x) : undefined;
}

/** All x values of some curves, ascending. */
export function abscissae(curves: readonly Curve[]): number[] {
  return [...new Set(curves.flatMap((c) => c.points.map((p) => p.x)))].sort((a, b) => a - b);
}

/** Comma-separated values of the curves. */
export function curvesCsv(spec: ChartSpec, curves: readonly Curve[]): string {
  const head = [spec.x.label, 'curve', 'kind', spec.y.label, 'low', 'high', 'seeds'];
  const rows = curves.flatMap((c) =>
    c.points.map((p) => [p.x, c.name, c.provenance ?? c.kind, p.y, p.low, p.high, p.n]),
  );
  return csv([head, ...rows]);
}
