/** The verdicts of this release, from the command line, to show before anybody pressed Run. A file of its own: only those who look load it. */
import url from '../../../../scenarios/verdicts.json?url';
import { messageOf } from '../../lib/assert';
import type { Released } from '../../state/replication.svelte';

/** See the module comment. */
class ReleasedVerdicts {
  #loading: Promise<void> | null = null;
  /** Null until it is there. */
  all = $state.raw<Released | null>(null);
  /** Why it is not there; empty if nothing is wrong. */
  problem = $state('');

  /** The claims; none before they are there. */
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
      this.problem = `The verdicts of this release did not load: ${messageOf(error)}.`;
    }
  }
}

/** The one of this page. */
export const released = new ReleasedVerdicts();
