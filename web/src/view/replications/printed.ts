/** Claims and numbers as rows of text, for the tables on the page and for files. Pure functions. */
import { claimWords } from '../../lib/claim-words';
import { csv } from '../../lib/csv';
import { NOTHING } from '../../lib/format';
import { estimate, significant } from '../../lib/format-estimate';
import type { Evaluation, Measure, Numbers } from '../../state/replications/replication.svelte';
import { CLAIM_KINDS } from './kinds';
import { VERDICT_WORDS } from './verdicts';

/** Headings of a measure's cells. */
export const MEASURE_HEADS = ['Measure', 'Value', 'Published', 'Bound', 'Verdict'] as const;

/** A measure of a claim: name, value, published value, bound and verdict; also under other assumptions. */
export function measureRows(m: Measure): readonly (readonly string[])[] {
  const published = significant(m.published ?? NaN);
  const supposed = (m.band ?? []).map(({ what, value, verdict }) => [
    `with ${claimWords(what)}`,
    significant(value ?? NaN),
    '',
    '',
    VERDICT_WORDS[verdict],
  ]);
  const value = estimate(m.value ?? NaN, m.half);
  return [[m.name, value, published, m.text, VERDICT_WORDS[m.verdict]], ...supposed];
}

/** A published number as the page shows it. */
export interface PrintedNumber {
  readonly claim: string;
  readonly kind: string;
  /** The input that was taken from the page of the source; empty if none was. */
  readonly circular: string;
  readonly name: string;
  readonly published: string;
  readonly simulated: string;
  readonly error: string;
}

/** A source with its numbers. */
export interface PrintedSource {
  /** Id of the experiment. */
  readonly id: string;
  /** The source, as it is cited. */
  readonly source: string;
  readonly rows: readonly PrintedNumber[];
  /** Mean of the absolute errors. */
  readonly mean: string;
}

/** All numbers, by source, in the order of the claims. */
export function printedNumbers(
  { numbers, meanErrors }: Numbers,
  claims: readonly Evaluation[],
): PrintedSource[] {
  const byId = new Map(claims.map((c) => [c.id, c]));
  return [...new Set(numbers.map((row) => row.source))].map((id) => ({
    id,
    source: claims.find((c) => c.experiment === id)?.source ?? id,
    rows: numbers
      .filter((row) => row.source === id)
      .map((row) => {
        const claim = byId.get(row.claim);
        const half = claim?.measures.find((m) => m.name === row.name)?.half ?? null;
        return {
          claim: row.claim,
          kind: claim ? CLAIM_KINDS[claim.kind] : '',
          circular: claim?.circular ?? '',
          name: row.name,
          published: significant(row.published),
          simulated: estimate(row.simulated ?? NaN, half),
          error: percent(row.relativeError, true),
        };
      }),
    mean: percent(meanErrors[id] ?? null, false),
  }));
}

/** A relative error in percent. */
function percent(part: number | null, isSigned: boolean): string {
  if (part === null) return NOTHING;
  const text = significant(100 * part);
  return `${isSigned && part > 0 ? '+' : ''}${text} %`;
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
    row.simulated ?? '',
    row.relativeError ?? '',
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
