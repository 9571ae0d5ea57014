/** Invented figures and claims, for tests of the page. */
import type {
  Chart,
  Evaluation,
  Measure,
  Series,
} from '../../state/replications/replication.svelte';

/** A series of points `[x, mean, half]` over five seeds. */
export function seriesOf(
  label: string,
  points: readonly (readonly [x: number, mean: number, half: number | null])[],
  more: Partial<Series> = {},
): Series {
  return {
    id: label.toLowerCase(),
    label,
    scheduler: label,
    unit: '×',
    points: points.map(([x, mean, half]) => ({
      x,
      estimate: { mean, half, n: half === null ? 1 : 5 },
      keys: [`${label}/${String(x)}/1`, `${label}/${String(x)}/2`],
    })),
    published: [],
    provenance: '',
    ...more,
  };
}

/** A chart of some series. */
export function chartOf(series: readonly Series[], more: Partial<Chart> = {}): Chart {
  return {
    kind: 'curves',
    id: 'storm',
    title: 'A storm',
    definition: 'Time for a switch.',
    x: { label: 'processes', unit: '', log: false },
    y: { label: 'time, relative', unit: '×', log: false },
    series,
    ...more,
  };
}

/** A measure of a claim. */
export function measureOf(more: Partial<Measure> = {}): Measure {
  return {
    name: 'ULE / 4BSD, 100 processes',
    measure: 'ratio',
    value: 0.996,
    half: 0.0123,
    seeds: 5,
    published: 1,
    low: 0.92,
    high: 1.08,
    text: 'published ± 0.08',
    verdict: 'holds',
    ...more,
  };
}

/** A claim. */
export function claimOf(more: Partial<Evaluation> = {}): Evaluation {
  return {
    id: 'S1a',
    experiment: 'S1',
    page: 's1',
    kind: 'validation',
    statement: 'Both are alike.',
    source: 'J. Roberson, 2007',
    acceptance: 'ULE / 4BSD: published ± 0.08 for 1 to 1000 processes',
    verdict: 'holds',
    measures: [measureOf()],
    found: 'Expected 1 ± 0.08, found 0.996.',
    note: '',
    ...more,
  };
}
