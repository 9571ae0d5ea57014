/** A timeline as a table: its form, and the four numbers that summarize a series. */
import { NOTHING } from '../../lib/format';
import type { Span } from '../../state/time-window.svelte';

/** A table in words. */
export interface TableWords {
  /** The name of the shown values. */
  readonly what: string;
  readonly span: Span;
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
}

/** Smallest, mean, largest and last of the values in the window. */
export function summary(
  { fromNs, toNs }: Span,
  times: readonly number[],
  values: readonly number[],
  show: (value: number) => string,
): string[] {
  const known = values.filter(
    (v, i) => Number.isFinite(v) && (times[i] ?? 0) >= fromNs && (times[i] ?? 0) <= toNs,
  );
  if (known.length === 0) return [NOTHING, NOTHING, NOTHING, NOTHING];
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const mean = known.reduce((a, b) => a + b) / known.length;
  return [least, mean, most, known.at(-1) ?? Number.NaN].map(show);
}

/** Names of those columns. */
export const SUMMARY = ['Least', 'Mean', 'Most', 'Last'] as const;
