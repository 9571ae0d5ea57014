/** Where the reader is: at Start, at the replications, or in the laboratory. The code of a place is loaded with it. */
import { pushFragment, replaceFragment } from '../browser/address-bar';
import { type Place, readPlace, writePlace } from '../link/place';
import type { Route } from '../link/route';
import type { WorkerLike } from '../sim/client';
import type { SweepWorker } from '../sim/sweep/pool';
import type { Preview } from './preview.svelte';
import type { Results } from './replications/results.svelte';

/** The laboratory while the reader is elsewhere. */
interface LeftPage {
  readonly playback: { isPlaying: boolean };
  readonly address: { readonly fragment: string; update(): Promise<void> };
  /** Resolves when all changes that were asked for are made and written. */
  settle(): Promise<void>;
}

/** See the module comment. */
export class Places {
  readonly #page: LeftPage;
  /** Starts a worker for lanes. */
  readonly spawn: () => WorkerLike;
  /** Starts a worker for whole runs. */
  readonly spawnRuns: () => SweepWorker;
  /** The present place; null in the laboratory. */
  at = $state.raw<Place | null>(null);
  /** The page about published experiments that is open, if any. */
  readonly route = $derived(this.at?.kind === 'replications' ? this.at.route : null);
  readonly isStart = $derived(this.at?.kind === 'start');
  /** What the open page of the replications is called; empty while that is not known. */
  heading = $state('');
  /** Whether the search is open; every place has it. */
  isSearching = $state(false);
  /** The results of replications so far; null until the first is opened. */
  results: Results | null = null;
  /** The previews of scenarios at Start; null until Start was open. */
  preview: Preview | null = null;

  constructor(page: LeftPage, spawn: () => WorkerLike, spawnRuns: () => SweepWorker) {
    this.#page = page;
    this.spawn = spawn;
    this.spawnRuns = spawnRuns;
  }

  /** Goes to the place of a fragment; returns whether that is outside the laboratory. */
  take(fragment: string): boolean {
    this.at = readPlace(fragment);
    if (this.at) {
      this.#page.playback.isPlaying = false;
      void this.#page.settle();
    }
    return this.at !== null;
  }

  /** Writes the choices on the present page of an experiment into the link. */
  choose(change: Partial<Route>): void {
    if (!this.route) return;
    const place: Place = { kind: 'replications', route: { ...this.route, ...change } };
    this.at = place;
    replaceFragment(writePlace(place));
  }

  /** To the laboratory. */
  leave(): void {
    if (!this.at) return;
    this.at = null;
    pushFragment(this.#page.address.fragment);
    void this.#page.address.update();
  }
}
