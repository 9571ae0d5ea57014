/**
 * Own policies on the page: what it hands to the editor of a program, which may not be open yet, files, and comparing a lane
 * with a real scheduler.
 */
import { saveFile } from '../../browser/save-file';
import { fileStem } from '../../files/save';
import type { LessonWorker } from '../../sim/lesson/client';
import { OWN } from '../../sim/policy/own';
import type { Scenario } from '../../sim/types/Scenario';
import { type Change, toSet } from '../editing/change';
import { type ExercisePage, Exercises } from './exercises.svelte';
import { MAX_LANES } from '../fork/lanes';
import { newLane } from '../new-lane';
import { isOwnPolicy } from './own-program.svelte';
import { ProgramSteps } from './program-steps.svelte';
import type { Run } from '../run.svelte';

/** How far compared lanes run at once until they differ. */
const AT_ONCE_NS = 1_000_000_000;

/** A place in the program of a lane: a mistake, or the line that stopped it. */
export interface ProgramPlace {
  readonly lane: number;
  readonly line: number;
  readonly column: number;
}

/** Two lanes that are compared, and since when they can differ. */
export interface Compared {
  readonly lanes: readonly [number, number];
  readonly atNs: number;
  /** No fork: two schedulers that are compared from the start. */
  readonly isComparison?: boolean;
}

/** The page that lanes run on. */
interface RunningPage {
  readonly run: Pick<Run, 'compare' | 'differNs' | 'nowNs' | 'endNs' | 'offered'>;
  readonly config: { readonly scenario: Scenario } | null;
  readonly playback: { isPlaying: boolean; message: string; seek(ns: number): Promise<void> };
  readonly prefs: { setupOpen: boolean | null; inspectOpen: boolean | null; isTight: boolean };
  readonly look: { readonly isLocked: boolean };
  readonly notices: { show(kind: 'warning', text: string): void };
  readonly fork: { made: Compared | null };
  readonly editing: { readonly runName: string; change(change: Change): void };
  settle(): Promise<void>;
}

/** See the module comment. */
export class Policies {
  readonly #page: RunningPage;
  /** Exercises for the programs of lanes. */
  readonly exercises: Exercises;
  /** The lines that a program executed for the decision that is shown. */
  readonly steps = new ProgramSteps();
  /** The place that an editor goes to. */
  wanted = $state.raw<ProgramPlace | null>(null);
  /** A program from a file, for the editor of a lane. */
  offered = $state.raw<{ readonly lane: number; readonly text: string } | null>(null);

  constructor(page: RunningPage & ExercisePage, spawnLesson: () => LessonWorker) {
    this.#page = page;
    this.exercises = new Exercises(page, spawnLesson);
  }

  /** Goes to a place in a program. */
  show(place: ProgramPlace): void {
    this.wanted = place;
    this.#showSetup();
  }

  /** Shows the programs of lanes, and the controls around them. */
  showPrograms(): void {
    this.#showSetup();
  }

  /** Takes a program from a file: for a lane that runs an own policy, else for one more lane. */
  open(text: string): void {
    const { config, look, notices } = this.#page;
    if (look.isLocked) return;
    if (!config) {
      notices.show('warning', 'Open a scenario first. Then a program becomes a lane of it.');
      return;
    }
    const lanes = config.scenario.schedulers;
    const own = lanes.findIndex(isOwnPolicy);
    const lane = own >= 0 ? own : Math.min(lanes.length, MAX_LANES - 1);
    if (own < 0) this.#page.editing.change(toSet(['lanes', String(lane + 1)], { id: OWN }));
    this.offered = { lane, text };
    this.#showSetup();
  }

  /** The program for the editor of a lane, once. */
  take(lane: number): string | null {
    const { offered } = this;
    if (offered?.lane !== lane) return null;
    this.offered = null;
    return offered.text;
  }

  /** Offers a program as a file. */
  save(text: string): void {
    const file = new Blob([text], { type: 'text/x-python' });
    saveFile(`${fileStem(this.#page.editing.runName)}.policy.py`, file);
  }

  /**
   * Runs a real scheduler beside a lane, to find where the two first differ. It is the lane that runs it already, or one
   * more, or the last one where there is no room.
   */
  async compareWith(lane: number, id: string): Promise<void> {
    const page = this.#page;
    const lanes = page.config?.scenario.schedulers ?? [];
    const found = lanes.findIndex((one) => one.id === id);
    const other = found >= 0 ? found : Math.min(lanes.length, MAX_LANES - 1);
    if (other === lane || page.look.isLocked) return;
    page.playback.isPlaying = false;
    if (found < 0) {
      page.editing.change(toSet(['lanes', String(other + 1)], newLane(page.run.offered, id)));
      await page.settle();
    }
    if (page.config?.scenario.schedulers[other]?.id !== id) return;
    page.fork.made = { lanes: [lane, other], atNs: 0, isComparison: true };
    await page.run.compare([lane, other]);
  }

  /** Goes to where the compared lanes first differ; runs on until they do. */
  async toDifference(): Promise<void> {
    const { playback, run } = this.#page;
    playback.isPlaying = false;
    let before = -1;
    // Who stops the journey stops the search.
    while (run.differNs === null && run.nowNs < run.endNs && run.nowNs > before) {
      before = run.nowNs;
      await playback.seek(Math.min(run.endNs, before + AT_ONCE_NS));
    }
    if (run.differNs !== null) await playback.seek(run.differNs);
    else if (run.nowNs >= run.endNs) playback.message = 'They do not differ.';
  }

  /** Where only one panel fits, the other one closes. */
  #showSetup(): void {
    const { prefs } = this.#page;
    prefs.setupOpen = true;
    if (prefs.isTight) prefs.inspectOpen = false;
  }
}
