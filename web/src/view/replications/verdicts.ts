/** The verdicts of this release, from the command line, to show before anybody pressed Run. */
import released from '../../../../scenarios/verdicts.json';
import type { Evaluation } from '../../state/replication.svelte';

/** All claims, in the order of the experiments. */
export const RELEASED = released as unknown as readonly Evaluation[];

/** How many claims hold, in words. */
export function tally(claims: readonly Evaluation[]): string {
  const count = (verdict: string) => claims.filter((c) => c.verdict === verdict).length;
  const parts = [`${String(count('holds'))} of ${String(claims.length)} claims hold`];
  const fails = count('fails');
  if (fails > 0) parts.push(fails === 1 ? '1 fails' : `${String(fails)} fail`);
  if (count('unavailable') > 0) parts.push(`${String(count('unavailable'))} not evaluated yet`);
  return parts.join(', ');
}

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
    const values = (c: Evaluation) => JSON.stringify(c.measures.map((m) => [m.name, m.value]));
    if (values(a) !== values(b)) differing.push(a.id);
  }
  return { numbers, differing };
}
