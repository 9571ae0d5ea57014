/** Finds measures in the catalog. */
import type { Catalog } from '../../sim/types/Catalog';
import type { MetricEntry } from '../../sim/types/MetricEntry';
import * as format from '../../lib/format';

/** A measure and the index of its value. */
export interface MeasureSource {
  readonly entry: MetricEntry;
  readonly index: number;
}

/** The first measure whose id is one of `ids`. */
export function pick(catalog: Catalog | null, ...ids: string[]): MeasureSource | null {
  for (const id of ids) {
    const index = catalog?.metrics.findIndex((m) => m.id === id) ?? -1;
    const entry = catalog?.metrics[index];
    if (entry) return { entry, index };
  }
  return null;
}

/** The value of a measure as text. */
export function show(entry: MetricEntry, value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return format.NOTHING;
  if (entry.id === 'throughput' || entry.id === 'speedup') return format.ratio(value);
  return format.withUnit(value, entry.unit);
}

/** The difference from the measure of another lane, with its sign. */
export function difference(
  entry: MetricEntry,
  value: number | undefined,
  base: number | undefined,
): string {
  if (value === undefined || base === undefined) return format.NOTHING;
  const by = value - base;
  if (!Number.isFinite(by)) return format.NOTHING;
  if (by === 0) return '=';
  return by > 0 ? `+${show(entry, by)}` : show(entry, by);
}
