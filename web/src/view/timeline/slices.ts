/** Slices of the CPUs: rows of the core as lists, and the search in them. */
import type { Slice } from '../../sim/history';
import { costOf, UNKNOWN } from '../../sim/trace';

/** Slices of each CPU. */
export type Slices = readonly (readonly Slice[])[];

/** Numbers of a slice. */
const ROW = 10;

/** Rows of the core as a list for each CPU. */
export function lists(rows: Float64Array, cpus: number): Slices {
  const out: Slice[][] = Array.from({ length: cpus }, () => []);
  for (let i = 0; i + ROW <= rows.length; i += ROW) {
    out[rows[i] ?? 0]?.push({
      from: rows[i + 1] ?? 0,
      to: rows[i + 2] ?? 0,
      task: rows[i + 3] ?? -1,
      decision: rows[i + 5] ?? UNKNOWN,
      also: rows[i + 9] ?? UNKNOWN,
      cost: costOf(rows[i + 6] ?? 0, rows[i + 7] ?? 0, rows[i + 8] ?? 0),
    });
  }
  return out;
}

/** Position of the first slice that ends after a time. */
export function firstAfter(slices: readonly Slice[], ns: number): number {
  let low = 0;
  let high = slices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slices[middle]?.to ?? Infinity) <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
