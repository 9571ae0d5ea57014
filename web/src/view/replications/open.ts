/** Results of replications, created when the first replication is opened. */
import type { Lab } from '../../state/lab.svelte';
import { Results } from '../../state/replications/results.svelte';
import type { Evaluation, Replication } from '../../state/replications/replication.svelte';
import { released } from './released.svelte';

/** The results of this page. */
export function resultsOf(lab: Pick<Lab, 'places' | 'run'>): Results {
  return (lab.places.results ??= new Results(lab.run, lab.places.spawnRuns));
}

/** Claims of a page: with the verdicts of this page, else of the release. */
export interface Judged {
  readonly claims: readonly Evaluation[];
  /** Ids of claims that were judged on this page. */
  readonly here: ReadonlySet<string>;
}

/**
 * The known results of a page's claims. Changed runs say nothing about the source, so they are left out unless
 * requested.
 */
export function judgedOf(
  page: string,
  replication: Replication | null,
  withChanged = false,
): Judged {
  const live = replication && (withChanged || !replication.whatIf) ? replication.verdicts : [];
  const byId = new Map(live.map((c): [string, Evaluation] => [c.id, c]));
  const claims = released.claims.filter((c) => c.page === page).map((c) => byId.get(c.id) ?? c);
  return { claims, here: new Set(byId.keys()) };
}
