/** What replications gave so far, made when the first of them is looked at. */
import type { Lab } from '../../state/lab.svelte';
import { Results } from '../../state/results.svelte';
import type { Evaluation, Replication } from '../../state/replication.svelte';
import { released } from './released.svelte';

/** The results of this page. */
export function resultsOf(lab: Pick<Lab, 'places' | 'run'>): Results {
  return (lab.places.results ??= new Results(lab.run, lab.places.spawnRuns));
}

/** Claims of a page: as they were judged here, else as the release has them. */
export interface Judged {
  readonly claims: readonly Evaluation[];
  /** Ids of those that were judged here. */
  readonly here: ReadonlySet<string>;
}

/** What is known of the claims of a page. Runs that were changed say nothing about the source: they are left out, if not asked for. */
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
