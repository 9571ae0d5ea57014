/** Verdicts in words. */
import type { Evaluation, Measure, Verdict } from '../../state/replications/replication.svelte';

/** The verdict of a page about an experiment, in words. */
export interface Judgement {
  readonly outcome: 'reproduced' | 'part' | 'not' | 'undecided';
  /** In words. */
  readonly words: string;
  /** Id of the deciding claim; empty without claims. */
  readonly claim: string;
  /** The statement of that claim; a whole sentence. */
  readonly statement: string;
  /** Expectation and result of that claim; a whole sentence. */
  readonly found: string;
  /** The suspected reason why it is not reproduced; whole sentences, or empty. */
  readonly why: string;
}

/** The names of verdicts on the page. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  fails: 'fails',
  undecided: 'undecided',
  unavailable: 'not yet',
};

const count = (claims: readonly Evaluation[], verdict: Verdict) =>
  claims.filter((c) => c.verdict === verdict).length;

/** A sentence begins with a capital letter and ends with a stop. */
export function sentence(text: string): string {
  const whole = text.trim();
  if (whole === '') return '';
  const begun = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The first of some sentences. */
export function firstSentence(text: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return first?.segment.trim() ?? '';
}

/** The combined verdict of a page's claims. */
export function judgement(claims: readonly Evaluation[]): Judgement {
  const judged = claims.filter((c) => c.verdict !== 'unavailable');
  const [holds, fails] = [count(judged, 'holds'), count(judged, 'fails')];
  const decisive =
    judged.find((c) => c.verdict === 'fails') ??
    judged.find((c) => c.verdict === 'undecided') ??
    judged[0];
  const rest = {
    claim: decisive?.id ?? '',
    statement: sentence(decisive?.statement ?? ''),
    found: sentence(decisive?.found ?? ''),
    why: sentence(decisive?.suspected ?? ''),
  };
  if (judged.length > 0 && holds === judged.length) {
    return { outcome: 'reproduced', words: 'reproduced', ...rest, why: '' };
  }
  if (holds > 0) {
    const words = `reproduced in part: ${String(holds)} of ${String(judged.length)}`;
    return { outcome: 'part', words, ...rest };
  }
  return fails > 0
    ? { outcome: 'not', words: 'not reproduced', ...rest }
    : { outcome: 'undecided', words: 'undecided', ...rest };
}

/** How many claims were judged, and how many of them hold. */
export function holdsOf(claims: readonly Evaluation[]): { hold: number; of: number } {
  const of = claims.length - count(claims, 'unavailable');
  return { hold: count(claims, 'holds'), of };
}

/** The number of claims that hold, in words. */
export function tally(claims: readonly Evaluation[]): string {
  const parts = [`${String(count(claims, 'holds'))} of ${String(claims.length)} claims hold`];
  const fails = count(claims, 'fails');
  if (fails > 0) parts.push(fails === 1 ? '1 fails' : `${String(fails)} fail`);
  for (const [verdict, words] of [
    ['undecided', 'undecided'],
    ['unavailable', 'not evaluated yet'],
  ] as const) {
    const n = count(claims, verdict);
    if (n > 0) parts.push(`${String(n)} ${words}`);
  }
  return parts.join(', ');
}

/** All numbers of a measure. */
const numbersOf = ({ name, value, half }: Measure) => [name, value, half];

/**
 * The number of values that two evaluations of the same claims share, and the ids of claims whose values differ in
 * any digit. Claims that only one evaluation has are left out.
 */
export function compare(
  some: readonly Evaluation[],
  others: readonly Evaluation[],
): { numbers: number; differing: string[] } {
  let numbers = 0;
  const differing: string[] = [];
  for (const a of some) {
    const b = others.find((c) => c.id === a.id);
    if (!b) continue;
    numbers += a.measures.length;
    const values = (c: Evaluation) => JSON.stringify(c.measures.map(numbersOf));
    if (values(a) !== values(b)) differing.push(a.id);
  }
  return { numbers, differing };
}
