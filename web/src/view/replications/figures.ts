/** What a page shows of its runs: curves, queues of all CPUs over time, or the table of the source. */
import { csv } from '../../lib/csv';
import type { ChartSpec, Place, Sample } from './curves';

/** Lengths of the queues of all CPUs at ascending times. */
export interface Grid {
  readonly times: readonly number[];
  /** One for each time; a number for each CPU. */
  readonly lengths: readonly ArrayLike<number>[];
}

/** A map for each series: time across, a row for each CPU, the length of its queue as shade. */
export interface HeatSpec {
  readonly kind: 'heat';
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  readonly x: { readonly label: string };
  readonly series: readonly string[];
  place(words: readonly string[]): Place;
  grid(values: ArrayLike<number>, words: readonly string[]): Grid;
  /** What every queue would have if all were equal. */
  readonly fair: number;
  /** Moments that the source names, by series. */
  readonly marks?: Readonly<Record<string, { readonly x: number; readonly label: string }>>;
}

/** A number in a table: where, and what. */
export interface Cell {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** The table of a source, with what the runs gave beside it. */
export interface TableSpec {
  readonly kind: 'table';
  readonly id: string;
  readonly title: string;
  readonly definition: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    readonly unit: string;
    /** What is published, by column; as text where it is no plain number. */
    readonly published?: readonly (number | string)[];
  }[];
  place(words: readonly string[]): Place;
  cells(values: ArrayLike<number>, words: readonly string[]): readonly Cell[];
  /** A column more: the second by the first. */
  readonly ratio?: string;
}

export type Figure = ChartSpec | HeatSpec | TableSpec;

/** Whether a figure is made of curves. */
export function isChart(figure: Figure): figure is ChartSpec {
  return !('kind' in figure);
}

/** The map of one series: the queues in the run of its lowest seed. */
export interface HeatMap {
  readonly name: string;
  readonly grid: Grid;
}

/** The maps that there are, in the order of the series. */
export function mapsOf(spec: HeatSpec, samples: readonly Sample[]): HeatMap[] {
  return spec.series.flatMap((name): HeatMap[] => {
    const of = samples.filter((s) => spec.place(s.words)?.series === name);
    const seed = (s: Sample) => Number(s.words.at(-1));
    const [first] = [...of].sort((a, b) => seed(a) - seed(b));
    return first ? [{ name, grid: spec.grid(first.values, first.words) }] : [];
  });
}

/** Stretches of a row with one length: from, to (places in time), length. */
export function stretches(grid: Grid, cpu: number): [from: number, to: number, length: number][] {
  const made: [number, number, number][] = [];
  grid.lengths.forEach((row, i) => {
    const length = row[cpu] ?? 0;
    const last = made.at(-1);
    if (last?.[2] === length) last[1] = i + 1;
    else made.push([i, i + 1, length]);
  });
  return made;
}

/** Largest, smallest and mean length at a place in time. */
export function extremes(grid: Grid, i: number): { most: number; least: number; mean: number } {
  const row = Array.from(grid.lengths[i] ?? []);
  const sum = row.reduce((a, b) => a + b, 0);
  return { most: Math.max(...row), least: Math.min(...row), mean: sum / Math.max(1, row.length) };
}

/** Place of the last time that is not after `x`. */
export function indexAt(times: readonly number[], x: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** About so many of the times, evenly over their places, the first and the last among them. */
export function some(times: readonly number[], most: number): number[] {
  if (times.length <= most) return [...times];
  const at = (i: number) => Math.round((i * (times.length - 1)) / (most - 1));
  return Array.from({ length: most }, (_, i) => times[at(i)] ?? 0);
}

/** What the runs gave for a table: all values of each cell, by row and column. */
export function cellsOf(spec: TableSpec, samples: readonly Sample[]): number[][][] {
  const all = spec.rows.map(() => spec.columns.map((): number[] => []));
  for (const { words, values } of samples) {
    if (!spec.place(words)) continue;
    for (const { row, column, value } of spec.cells(values, words)) {
      if (Number.isFinite(value)) all[row]?.[column]?.push(value);
    }
  }
  return all;
}

/** Comma-separated values of maps or of a table. */
export function figureCsv(spec: HeatSpec | TableSpec, samples: readonly Sample[]): string {
  const rows: (string | number)[][] = [];
  if (spec.kind === 'heat') {
    const maps = mapsOf(spec, samples);
    const cpus = maps[0]?.grid.lengths[0]?.length ?? 0;
    const cores = Array.from({ length: cpus }, (_, i) => `core ${String(i)}`);
    rows.push(['scheduler', spec.x.label, ...cores]);
    for (const { name, grid } of maps) {
      grid.times.forEach((t, i) => rows.push([name, t, ...Array.from(grid.lengths[i] ?? [])]));
    }
  } else {
    rows.push(['row', 'unit', 'column', 'published', 'simulated', 'seeds']);
    const cells = cellsOf(spec, samples);
    spec.rows.forEach((row, r) => {
      spec.columns.forEach((column, c) => {
        const values = cells[r]?.[c] ?? [];
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const here = values.length > 0 ? mean : '';
        rows.push([row.label, row.unit, column, row.published?.[c] ?? '', here, values.length]);
      });
    });
  }
  return csv(rows);
}
