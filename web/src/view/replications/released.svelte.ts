/**
 * The verdicts of this release, from the command line, shown before the reader runs anything. In a file of its own,
 * which only these pages load.
 */
import { reportMissing } from '../../browser/missing';
import url from '../../../../scenarios/verdicts.json?url';
import { messageOf } from '../../lib/assert';
import type { Released } from '../../state/replications/replication.svelte';

/** See the module comment. */
class ReleasedVerdicts {
  #loading: Promise<void> | null = null;
  /** Null until it is there. */
  all = $state.raw<Released | null>(null);
  /** Why they could not be loaded; empty if there is no problem. */
  problem = $state('');

  /** The claims; empty until they are loaded. */
  get claims() {
    return this.all?.claims ?? [];
  }

  /** Loads it once. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    try {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`the server answered ${String(answer.status)}`);
      this.all = (await answer.json()) as Released;
    } catch (error) {
      this.#loading = null;
      reportMissing();
      this.problem = `The verdicts of this release did not load: ${messageOf(error)}.`;
    }
  }
}

/** The one of this page. */
export const released = new ReleasedVerdicts();
