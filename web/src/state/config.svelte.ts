/** The scenario on the page, what is wrong with it, and the way back. */
import type { Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { currentDrag } from './gesture';

const MAX_UNDO = 100;

/** Scenarios are replaced, never changed in place: that makes undo a list of them. */
export class Config {
  /** The scenario that runs, live edits included. */
  scenario = $state.raw<Scenario>() as Scenario;
  /** The last change that was refused, so that the user's input is not lost. */
  refused = $state.raw<Scenario | null>(null);
  /** Why it was refused. */
  problems = $state.raw<readonly Problem[]>([]);
  /** Shipped scenario that this one started from. */
  baseId = $state('');
  #undo = $state.raw<readonly Scenario[]>([]);
  #redo = $state.raw<readonly Scenario[]>([]);
  /** The drag that made the last step back. */
  #drag: number | null = null;
  readonly canUndo = $derived(this.#undo.length > 0);
  readonly canRedo = $derived(this.#redo.length > 0);

  constructor(scenario: Scenario, baseId: string) {
    this.scenario = scenario;
    this.baseId = baseId;
  }

  /** Takes over a scenario that the core accepted; the old one can be had back. */
  accept(scenario: Scenario): void {
    this.mark(this.scenario);
    this.replace(scenario);
  }

  /** Takes over a scenario without a way back, for things that are no change of the user's. */
  replace(scenario: Scenario): void {
    this.scenario = scenario;
    this.refused = null;
    this.problems = [];
  }

  /** Takes over the core's list of edits. */
  setEdits(edits: readonly TimedEdit[]): void {
    const next: Scenario = { ...this.scenario, edits: [...edits] };
    if (edits.length === 0) delete next.edits;
    if (JSON.stringify(next.edits) !== JSON.stringify(this.scenario.edits)) this.scenario = next;
  }

  /** Remembers the scenario as it was before a change; of all changes of one drag, before the first. */
  mark(before: Scenario): void {
    this.#redo = [];
    const drag = currentDrag();
    if (drag !== null && drag === this.#drag) return;
    this.#drag = drag;
    this.#undo = [...this.#undo, before].slice(-MAX_UNDO);
  }

  /** Keeps what was refused, with the reasons. */
  refuse(scenario: Scenario | null, problems: readonly Problem[]): void {
    this.refused = scenario;
    this.problems = problems;
  }

  /** The scenario before the last change, or null. */
  takeUndo(): Scenario | null {
    const last = this.#undo.at(-1);
    if (!last) return null;
    this.#undo = this.#undo.slice(0, -1);
    this.#redo = [...this.#redo, this.scenario];
    return last;
  }

  /** The scenario before the last undo, or null. */
  takeRedo(): Scenario | null {
    const last = this.#redo.at(-1);
    if (!last) return null;
    this.#redo = this.#redo.slice(0, -1);
    this.#undo = [...this.#undo, this.scenario];
    return last;
  }
}
