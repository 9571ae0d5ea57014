/** The experiments that were opened, so that results stay while one looks at another page. */
import type { Lab } from '../../state/lab.svelte';
import { Batch } from '../../state/batch.svelte';
import { Replication } from '../../state/replication.svelte';
import { WholeGallery } from '../../state/whole-gallery.svelte';
import type { ExperimentPage } from './experiments/types';

const opened = new Map<string, Replication>();

/** What is known of an experiment; null while the core is loading. */
export function replicationOf(lab: Lab, page: ExperimentPage): Replication | null {
  const { catalog } = lab.run;
  if (!catalog) return null;
  const known = opened.get(page.id);
  if (known) return known;
  const made = new Replication(catalog, lab.gallery.spawn, page.experiment, (words) =>
    page.wants(words),
  );
  opened.set(page.id, made);
  return made;
}

/** The pass over all experiments. */
export const wholeGallery = new WholeGallery();

let own: Batch | null = null;

/** The runs of the sweep of one's own. */
export function ownBatch(lab: Lab): Batch {
  own ??= new Batch(lab.gallery.spawn);
  return own;
}
