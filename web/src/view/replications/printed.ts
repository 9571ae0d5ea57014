/** Claims and numbers as rows of text: what their tables on the page show, and their files. Pure functions. */
import { csv } from '../../lib/csv';
import { percentFine, plain } from '../../lib/format';
import type { Estimate, Evaluation, Measure, Numbers } from '../../state/replication.svelte';
import { VERDICT_WORDS } from './verdicts';

/** Values that lie so near together say nothing about seeds. */
const NO_SPREAD = 1e-12;

/** A mean with half of its interval, where it has one. */
export function estimated({ mean, half }: Pick<Estimate, 'mean' | 'half'>): string {
  if (half === null || !(Math.abs(half) > NO_SPREAD * Math.abs(mean))) return plain(mean);
  return `${plain(mean)} ± ${plain(half)}`;
}

/** A measure of a claim: its name, value, what is published, its bound, its verdict. */
export function measureCells(m: Measure): readonly string[] {
  return [
    m.name,
    estimated({ mean: m.value ?? NaN, half: m.half }),
    plain(m.published ?? NaN),
    m.text,
    VERDICT_WORDS[m.verdict],
  ];
}

/** Heads of those. */
export const MEASURE_HEADS = ['Measure', 'Value', 'Published', 'Bound', 'Verdict'] as const;

/** A published number as the page shows it. */
export interface PrintedNumber {
  readonly claim: string;
  readonly kind: string;
  /** Which input was taken from the page of the source; empty if none was. */
  readonly circular: string;
  readonly name: string;
  readonly published: string;
  readonly simulated: string;
  readonly error: string;
}

/** A source with its numbers. */
export interface PrintedSource {
  readonly source: string;
  readonly rows: readonly PrintedNumber[];
  /** Mean of the errors without their signs, and of how many. */
  readonly mean: string;
}

/** All numbers, by source, in the order of the core. */
export function printedNumbers(
  { numbers, sources }: Numbers,
  claims: readonly Evaluation[],
): PrintedSource[] {
  const byId = new Map(claims.map((c) => [c.id, c]));
  return sources.map(({ source, n, meanRelativeError }) => ({
    source,
    rows: numbers
      .filter((row) => row.source === source)
      .map((row) => {
        const claim = byId.get(row.claim);
        const half = claim?.measures.find((m) => m.name === row.name)?.half ?? null;
        return {
          claim: row.claim,
          kind: claim?.kind ?? '',
          circular: claim?.circular ?? '',
          name: row.name,
          published: plain(row.published),
          simulated: estimated({ mean: row.simulated, half }),
          error: signed(row.relativeError),
        };
      }),
    mean: `${percentFine(meanRelativeError)} over ${String(n)} ${n === 1 ? 'number' : 'numbers'}`,
  }));
}

/** A relative error in percent, with its sign. */
function signed(part: number): string {
  const text = percentFine(part);
  return part > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** All numbers with all digits. */
export function numbersCsv({ numbers }: Numbers, claims: readonly Evaluation[]): string {
  const byId = new Map(claims.map((c) => [c.id, c]));
  const head = [
    ...['source', 'claim', 'kind', 'circular', 'number'],
    ...['published', 'simulated', 'relative error'],
  ];
  const rows = numbers.map((row) => [
    row.source,
    row.claim,
    byId.get(row.claim)?.kind ?? '',
    byId.get(row.claim)?.circular ?? '',
    row.name,
    row.published,
    row.simulated,
    row.relativeError,
  ]);
  return csv([head, ...rows]);
}

/** All measures of some claims with all digits. */
export function claimsCsv(claims: readonly Evaluation[]): string {
  const head = [
    ...['claim', 'kind', 'verdict of the claim', 'measure', 'value', 'half of the interval'],
    ...['seeds', 'published', 'bound', 'verdict'],
  ];
  const rows = claims.flatMap((c) =>
    c.measures.map((m) => [
      ...[c.id, c.kind, c.verdict, m.name, m.value ?? '', m.half ?? ''],
      ...[m.seeds, m.published ?? '', m.text, m.verdict],
    ]),
  );
  return csv([head, ...rows]);
}
