/** The scenario on the page, what is wrong with it, and the way back. */
import { withFittingGuide } from '../sim/guide';
import type { Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { currentDrag } from './gesture';

const MAX_UNDO = 100;

/** A point that can be gone back to: a scenario with its edits, and a time. */
export interface Point {
  readonly scenario: Scenario;
  readonly atNs: number;
}

/** Scenarios are replaced, never changed in place: that makes undo a list of them. */
export class Config {
  /** The scenario that runs, live edits included. */
  scenario = $state.raw<Scenario>() as Scenario;
  /** Why the last change was refused. */
  problems = $state.raw<readonly Problem[]>([]);
  /** Shipped scenario that this one started from. */
  baseId = $state('');
  #undo = $state.raw<readonly Point[]>([]);
  #redo = $state.raw<readonly Point[]>([]);
  /** The drag that made the last step back. */
  #drag: number | null = null;
  readonly canUndo = $derived(this.#undo.length > 0);
  readonly canRedo = $derived(this.#redo.length > 0);

  constructor(scenario: Scenario, baseId: string) {
    this.scenario = scenario;
    this.baseId = baseId;
  }

  /** Takes over a scenario that the core accepted; the old one can be had back, as it was at a time. */
  accept(scenario: Scenario, atNs: number): void {
    this.mark({ scenario: this.scenario, atNs });
    this.replace(scenario);
  }

  /** Takes over a scenario without a way back, for things that are no change of the user's. */
  replace(scenario: Scenario): void {
    this.scenario = scenario;
    this.problems = [];
  }

  /** Takes over the core's list of edits. */
  setEdits(edits: readonly TimedEdit[]): void {
    if (JSON.stringify(edits) !== JSON.stringify(this.scenario.edits))
      this.scenario = withFittingGuide({ ...this.scenario, edits: [...edits] }, this.scenario);
  }

  /** Remembers what there was before a change; of all changes of one drag, before the first. */
  mark(before: Point): void {
    this.#redo = [];
    const drag = currentDrag();
    if (drag !== null && drag === this.#drag) return;
    this.#drag = drag;
    this.#undo = [...this.#undo, before].slice(-MAX_UNDO);
  }

  /** What there was before the last change, or null; `atNs` is the present time, for the way forth. */
  takeUndo(atNs: number): Point | null {
    const last = this.#undo.at(-1);
    if (!last) return null;
    this.#undo = this.#undo.slice(0, -1);
    this.#redo = [...this.#redo, { scenario: this.scenario, atNs }];
    return last;
  }

  /** What there was before the last undo, or null. */
  takeRedo(atNs: number): Point | null {
    const last = this.#redo.at(-1);
    if (!last) return null;
    this.#redo = this.#redo.slice(0, -1);
    this.#undo = [...this.#undo, { scenario: this.scenario, atNs }];
    return last;
  }
}
