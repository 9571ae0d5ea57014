/** A fork: one lane as two, of which only the copy gets further changes. */
import type { Config } from '../config.svelte';
import type { Compared } from '../policy/policies.svelte';
import type { Run } from '../run.svelte';
import type { Turns } from '../editing/turns';
import { forked, MAX_LANES } from './lanes';

/** What a fork needs of the page. */
interface ForkedPage {
  readonly run: Pick<Run, 'compare' | 'configure' | 'lanes' | 'nowNs'>;
  readonly selection: { readonly lane: number };
  readonly playback: { isPlaying: boolean };
  readonly look: { readonly isLocked: boolean };
  readonly config: Config | null;
}

/** See the module comment. */
export class Fork {
  readonly #page: ForkedPage;
  readonly #turns: Turns;
  /** The lanes of the last fork, or those that are compared, and since when; null: none. */
  made = $state.raw<Compared | null>(null);
  /** The only lane that changes are made in; null: all. */
  editLane = $state<number | null>(null);

  constructor(page: ForkedPage, turns: Turns) {
    this.#page = page;
    this.#turns = turns;
  }

  /** Whether there is room for one more lane. */
  get canMake(): boolean {
    const { config, look, run } = this.#page;
    return config !== null && run.lanes.length < MAX_LANES && !look.isLocked;
  }

  /** Adds a copy of the selected lane; changes now go only to the copy. */
  async make(): Promise<void> {
    const page = this.#page;
    const { config, run } = page;
    if (!config) return;
    const { piece } = config;
    await this.#turns.take(async () => {
      if (!this.canMake || config.piece !== piece) return;
      const lane = Math.min(page.selection.lane, run.lanes.length - 1);
      const atNs = run.nowNs;
      page.playback.isPlaying = false;
      const { scenario, problems } = await run.configure(forked(config.scenario, lane), atNs);
      if (!scenario) {
        config.problems = problems;
        return;
      }
      config.accept(scenario, atNs);
      this.made = { lanes: [lane, lane + 1], atNs };
      this.editLane = lane + 1;
      await this.compare();
    });
  }

  /** Compares its lanes in a run that was made anew. */
  async compare(): Promise<void> {
    if (this.made) await this.#page.run.compare(this.made.lanes);
  }

  /** After other lanes were opened, it no longer exists. */
  forget(): void {
    this.made = null;
    this.editLane = null;
  }
}
