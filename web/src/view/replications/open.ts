/** What replications gave so far, made when the first of them is looked at. */
import type { Lab } from '../../state/lab.svelte';
import { Results } from '../../state/results.svelte';

/** The results of this page. */
export function resultsOf(lab: Pick<Lab, 'places' | 'run'>): Results {
  return (lab.places.results ??= new Results(lab.run, lab.places.spawnRuns));
}
