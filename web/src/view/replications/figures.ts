/** The judge's figures as the page shows them: the runs of a place, maps of queues, tables as files. */
import { claimWords } from '../../lib/claim-words';
import { csv } from '../../lib/csv';
import type { Figure, Heat, Series, Table } from '../../state/replications/replication.svelte';

/** Whether a figure has no points to show. */
export function isEmpty(figure: Figure): boolean {
  return !hasRuns(figure) && (figure.kind === 'heat' || !figure.series.some(isPublished));
}

const isPublished = (series: Series) => series.published.length > 0;

/** Whether a figure is a chart that has published numbers. */
export function hasPublished(figure: Figure): boolean {
  return figure.kind !== 'heat' && figure.kind !== 'table' && figure.series.some(isPublished);
}

/** Whether any shown point comes from a run. */
export function hasRuns(figure: Figure): boolean {
  return figure.series.some((s) => s.points.length > 0);
}

/** Whether a place is a moment of the runs, instead of one run among many. */
export function isOverTime(figure: Figure): boolean {
  return figure.kind === 'heat' || figure.kind === 'overTime';
}

/** Keys of the runs at a place: one for each line. */
export function keysAt(figure: Figure, x: number): string[] {
  return figure.series.flatMap(({ points }) => {
    const [first] = points;
    const point = isOverTime(figure)
      ? (points.findLast((p) => p.x <= x) ?? first)
      : points.find((p) => p.x === x);
    const keys = point?.keys.length === 0 ? first?.keys : point?.keys;
    return keys?.slice(0, 1) ?? [];
  });
}

/** Time of the runs that a place opens, in ns; null if the judge names none. */
export function momentAt(figure: Figure, x: number): number | null {
  return figure.moment ? figure.moment.originNs + x * figure.moment.perXNs : null;
}

/** A map of queues: the lengths of all cores at ascending times. */
export interface HeatMap {
  readonly id: string;
  readonly label: string;
  readonly times: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly mark: Series['mark'];
}

/** The maps that there are. */
export function mapsOf(heat: Heat): HeatMap[] {
  return heat.series.flatMap(({ id, label, points, rows = [], mark }): HeatMap[] => {
    const times = points.map((p) => p.x);
    return rows.length > 0 ? [{ id, label: claimWords(label), times, rows, mark }] : [];
  });
}

/** Spans in which a core's queue has one length: from, to (indices of times), length. */
export function stretches(
  map: Pick<HeatMap, 'rows'>,
  core: number,
): [from: number, to: number, length: number][] {
  const made: [number, number, number][] = [];
  map.rows.forEach((row, i) => {
    const length = row[core] ?? 0;
    const last = made.at(-1);
    if (last?.[2] === length) last[1] = i + 1;
    else made.push([i, i + 1, length]);
  });
  return made;
}

/** Shortest and longest queue at an index of the times. */
export function extremes(map: HeatMap, i: number): { most: number; least: number } {
  const row = map.rows[i] ?? [];
  return { most: Math.max(...row), least: Math.min(...row) };
}

/** Index of the last time that is not after `x`. */
export function indexAt(times: readonly number[], x: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** About `n` of the times, evenly distributed, including the first and the last. */
export function some(times: readonly number[], most: number): number[] {
  if (times.length <= most) return [...times];
  const at = (i: number) => Math.round((i * (times.length - 1)) / (most - 1));
  return Array.from({ length: most }, (_, i) => times[at(i)] ?? 0);
}

/** The content of a table cell. */
export function cellOf(series: Series, row: number) {
  const estimate = series.points.find((p) => p.x === row)?.estimate ?? null;
  const published = series.published.find(([x]) => x === row)?.[1] ?? null;
  return { estimate, published };
}

/** Comma-separated values of maps or of a table. */
export function figureCsv(figure: Heat | Table): string {
  const rows: (string | number)[][] = [];
  if (figure.kind === 'heat') {
    const maps = mapsOf(figure);
    const cores = (maps[0]?.rows[0] ?? []).map((_, i) => `core ${String(i)}`);
    rows.push(['scheduler', claimWords(figure.x.label), ...cores]);
    for (const { label, times, rows: all } of maps) {
      times.forEach((t, i) => rows.push([label, t, ...(all[i] ?? [])]));
    }
  } else {
    rows.push(['row', 'unit', 'column', 'published', 'simulated', 'half of the interval', 'seeds']);
    figure.rowLabels.forEach((row, r) => {
      for (const series of figure.series) {
        const { estimate, published } = cellOf(series, r);
        const here = [estimate?.mean ?? '', estimate?.half ?? '', estimate?.n ?? 0];
        const names = [row.label, row.unit, series.label].map(claimWords);
        rows.push([...names, published ?? '', ...here]);
      }
    });
  }
  return csv(rows);
}
