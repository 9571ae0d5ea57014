/** Verdicts in words. */
import type { Evaluation, Measure, Verdict } from '../../state/replication.svelte';

/** What is to be said of a page about an experiment. */
export interface Judgement {
  readonly outcome: 'reproduced' | 'part' | 'not' | 'undecided';
  /** In words. */
  readonly words: string;
  /** Id of the claim that decided it; empty without claims. */
  readonly claim: string;
  /** What that claim says; a whole sentence. */
  readonly statement: string;
  /** What was expected and found of that claim; a whole sentence. */
  readonly found: string;
  /** Why it is not reproduced, as far as that is suspected; whole sentences, or empty. */
  readonly why: string;
}

/** How a verdict is called on the page. */
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

/** What the claims of a page say together. */
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

/** How many claims hold, in words. */
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

/** Everything of a measure that is a number. */
const numbersOf = ({ name, value, half }: Measure) => [name, value, half];

/**
 * How many numbers two evaluations of the same claims have in common, and the ids of the claims whose numbers are not
 * the same, digit by digit. Claims that only one of them has are left out.
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
