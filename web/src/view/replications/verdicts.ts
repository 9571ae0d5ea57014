/** The verdicts of this release, from the command line, to show before anybody pressed Run. */
import released from '../../../../scenarios/verdicts.json';
import type { Evaluation } from '../../state/replication.svelte';

/** All claims, in the order of the experiments. */
export const RELEASED = released as unknown as readonly Evaluation[];

/** How many claims hold, in words. */
export function tally(claims: readonly Evaluation[]): string {
  const count = (verdict: string) => claims.filter((c) => c.verdict === verdict).length;
  const parts = [`${String(count('holds'))} of ${String(claims.length)} claims hold`];
  if (count('fails') > 0) parts.push(`${String(count('fails'))} fail`);
  if (count('unavailable') > 0) parts.push(`${String(count('unavailable'))} not evaluated yet`);
  return parts.join(', ');
}
