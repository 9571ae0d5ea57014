/** Results of replications: they stay while the reader looks at another page. */
import { processors } from '../../browser/processors';
import { KeptWorkers } from '../../sim/sweep/kept-workers';
import type { SweepWorker } from '../../sim/sweep/pool';
import type { Catalog } from '../../sim/types/Catalog';
import { OwnResults } from './own-results.svelte';
import { Replication } from './replication.svelte';
import { WholeGallery } from './whole-gallery.svelte';

/** The core, once it is loaded. */
interface Loaded {
  readonly catalog: Catalog | null;
}

/** See the module comment. */
export class Results {
  readonly #core: Loaded;
  /** Workers for the page that has runs to carry out. */
  readonly #workers: KeptWorkers;
  readonly #opened = new Map<string, Replication>();
  /** The pass over all experiments. */
  readonly whole = new WholeGallery();
  /** The sweep of one's own. */
  readonly own: OwnResults;

  constructor(core: Loaded, spawn: () => SweepWorker) {
    this.#core = core;
    this.#workers = new KeptWorkers(spawn, processors());
    this.own = new OwnResults(this.#workers);
  }

  /** The state of a page about an experiment; null while the core is loading. */
  of(page: string): Replication | null {
    const { catalog } = this.#core;
    if (!catalog) return null;
    let replication = this.#opened.get(page);
    if (!replication) {
      replication = new Replication(catalog, this.#workers, page);
      this.#opened.set(page, replication);
    }
    return replication;
  }
}
