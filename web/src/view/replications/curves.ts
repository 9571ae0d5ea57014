/** Lines of a chart, made from the judge's series, which contain means and intervals. */

import { claimWords } from '../../lib/claim-words';
import { csv } from '../../lib/csv';
import type { Chart, Provenance } from '../../state/replications/replication.svelte';
import { PROVENANCES } from './kinds';

/** A place on a curve. */
export interface Point {
  readonly x: number;
  readonly y: number;
  /** Ends of the 95 % confidence interval of the mean; both are `y` if there is none. */
  readonly low: number;
  readonly high: number;
  /** Seeds. */
  readonly n: number;
}

/** A line of a chart. */
export interface Curve {
  readonly name: string;
  /** Published points are rings, results before a change are a thin line, and an assumption is an area with an edge. */
  readonly kind: 'simulated' | 'before' | 'published' | 'supposed';
  /** Number of its hue. */
  readonly hue: number;
  readonly points: readonly Point[];
  /** For published values: the origin of the numbers. */
  readonly provenance?: Provenance;
}

const exact = (x: number, y: number): Point => ({ x, y, low: y, high: y, n: 1 });

/** The simulated lines of a chart, in the order of its series. */
export function simulated(chart: Chart, kind: 'simulated' | 'before' = 'simulated'): Curve[] {
  return chart.series.flatMap(({ label, points }, hue): Curve[] => {
    if (points.length === 0) return [];
    const made = points.map(({ x, estimate: { mean, half, n } }) => {
      return { x, y: mean, low: mean - (half ?? 0), high: mean + (half ?? 0), n };
    });
    return [{ name: claimWords(label), kind, hue, points: made }];
  });
}

/** The published lines, each in the hue of its series. */
function published(chart: Chart): Curve[] {
  return chart.series.flatMap(({ label, points, published: rows, provenance }, hue): Curve[] => {
    if (rows.length === 0) return [];
    // A series that is never simulated has its full name already.
    const isTwin = points.length > 0 || !/publish|stated|closed form/i.test(label);
    // A value that was computed from a source's rules is not a number of the source.
    const isComputed = provenance === 'theory' || provenance === 'inferred';
    const suffix = PROVENANCES[isComputed ? provenance : ''];
    const name = isTwin ? `${claimWords(label)}, ${suffix}` : claimWords(label);
    return [
      { name, kind: 'published', hue, points: rows.map(([x, y]) => exact(x, y)), provenance },
    ];
  });
}

/** The ranges of simulated values under assumptions. */
function supposed(chart: Chart): Curve[] {
  return chart.series.flatMap(({ label, band }, hue): Curve[] => {
    if (!band || band.points.length === 0) return [];
    const points = band.points.map(([x, low, high]) => ({
      x,
      y: (low + high) / 2,
      low,
      high,
      n: 1,
    }));
    return [
      { name: `${claimWords(label)}: ${claimWords(band.label)}`, kind: 'supposed', hue, points },
    ];
  });
}

/** All lines of a chart, with those of an earlier pass. */
export function curvesOf(chart: Chart, before: Chart | undefined): Curve[] {
  return [
    ...supposed(chart),
    ...published(chart),
    ...(before ? simulated(before, 'before') : []),
    ...simulated(chart),
  ];
}

/** The point of a curve at a place; over time, the latest point up to that place, until the curve ends. */
export function pointAt(curve: Curve, x: number, isOverTime: boolean): Point | undefined {
  if (!isOverTime || curve.kind === 'published') return curve.points.find((p) => p.x === x);
  const last = curve.points.at(-1);
  return last && last.x >= x ? curve.points.findLast((p) => p.x <= x) : undefined;
}

/** All x values of some curves, ascending. */
export function abscissae(curves: readonly Curve[]): number[] {
  return [...new Set(curves.flatMap((c) => c.points.map((p) => p.x)))].sort((a, b) => a - b);
}

/** How the intervals of some curves were computed, for the legend; empty if none is simulated. */
export function intervals(curves: readonly Curve[]): string {
  const all = curves.filter((c) => c.kind === 'simulated').flatMap((c) => c.points);
  return intervalsOf(all.map((p) => p.n));
}

/** How intervals over a number of seeds were computed. */
export function intervalsOf(seeds: readonly number[]): string {
  const most = Math.max(0, ...seeds);
  if (most === 0) return '';
  if (most === 1) return 'one seed, so no interval';
  return `95 % interval, Student’s t over ${String(most)} seeds`;
}

/** Comma-separated values of the curves. */
export function curvesCsv(chart: Chart, curves: readonly Curve[]): string {
  const head = [
    claimWords(chart.x.label),
    'curve',
    'kind',
    claimWords(chart.y.label),
    'low',
    'high',
    'seeds',
  ];
  const rows = curves.flatMap((c) =>
    c.points.map((p) => [p.x, c.name, c.provenance || c.kind, p.y, p.low, p.high, p.n]),
  );
  return csv([head, ...rows]);
}
