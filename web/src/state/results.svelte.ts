/** What replications gave so far: it stays while one looks at another page. */
import type { SweepWorker } from '../sim/sweep/pool';
import type { Catalog } from '../sim/types/Catalog';
import { Batch } from './batch.svelte';
import { Replication } from './replication.svelte';
import { WholeGallery } from './whole-gallery.svelte';

/** What is to be known of a page about an experiment to carry it out. */
interface Page {
  readonly id: string;
  readonly experiment: string;
  wants(words: readonly string[]): boolean;
}

/** The core, once it is loaded. */
interface Loaded {
  readonly catalog: Catalog | null;
}

/** See the module comment. */
export class Results {
  readonly #core: Loaded;
  readonly #spawn: () => SweepWorker;
  readonly #opened = new Map<string, Replication>();
  /** The pass over all experiments. */
  readonly whole = new WholeGallery();
  /** The runs of the sweep of one's own. */
  readonly own: Batch;

  constructor(core: Loaded, spawn: () => SweepWorker) {
    this.#core = core;
    this.#spawn = spawn;
    this.own = new Batch(spawn);
  }

  /** What is known of an experiment; null while the core is loading. */
  of(page: Page): Replication | null {
    const { catalog } = this.#core;
    if (!catalog) return null;
    let replication = this.#opened.get(page.id);
    if (!replication) {
      const wants = (words: readonly string[]) => page.wants(words);
      replication = new Replication(catalog, this.#spawn, page.experiment, wants);
      this.#opened.set(page.id, replication);
    }
    return replication;
  }
}
