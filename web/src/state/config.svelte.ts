/** The scenario on the page, the scenario it started from, its problems, and undo. */
import { withGuideOf } from '../sim/guide';
import type { Position, Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { currentDrag } from './gesture';

const MAX_UNDO = 100;

/** The scenario that the user opened, and the moment at which it stood. Changes are counted against it. */
export interface Origin {
  readonly scenario: Scenario;
  readonly atNs: number;
  readonly position: Position | null;
}

/** A point that undo and redo can go to: a scenario with its edits, and a time. */
export interface Point {
  readonly scenario: Scenario;
  readonly atNs: number;
}

/** A point with the scenario that it started from. */
interface UndoPoint extends Point {
  readonly origin: Origin;
  readonly baseId: string;
}

/**
 * Scenarios are replaced, never changed in place, so undo is a list of them. The guide of the opened scenario
 * disappears with the first change of lanes, machine or threads, and returns when the last of these is undone.
 */
export class Config {
  /** The scenario that runs, live edits included. */
  scenario = $state.raw<Scenario>() as Scenario;
  /** The opened scenario. */
  origin = $state.raw<Origin>() as Origin;
  /** Why the last change was refused. */
  problems = $state.raw<readonly Problem[]>([]);
  /** Shipped scenario that this one started from. */
  baseId = $state('');
  #undo = $state.raw<readonly UndoPoint[]>([]);
  #redo = $state.raw<readonly UndoPoint[]>([]);
  /** The drag that made the newest entry of undo. */
  #drag: number | null = null;
  readonly canUndo = $derived(this.#undo.length > 0);
  readonly canRedo = $derived(this.#redo.length > 0);

  constructor(
    scenario: Scenario,
    baseId: string,
    origin: Origin = { scenario, atNs: 0, position: null },
  ) {
    this.origin = origin;
    this.baseId = baseId;
    this.replace(scenario);
  }

  /** Another scenario was opened: undo goes back to the one before it, at the time where it stood. */
  open(scenario: Scenario, baseId: string, origin: Origin, wasAtNs: number): void {
    this.mark({ scenario: this.scenario, atNs: wasAtNs });
    this.baseId = baseId;
    this.begin(origin);
    this.replace(scenario);
  }

  /** Changes are counted against this from now on. */
  begin(origin: Origin): void {
    this.origin = origin;
  }

  /** Takes over a scenario that the core accepted; undo goes back to the old one, at the time where it stood. */
  accept(scenario: Scenario, atNs: number): void {
    this.mark({ scenario: this.scenario, atNs });
    this.replace(scenario);
  }

  /** Takes over a scenario without an entry of undo, where the user changed nothing. */
  replace(scenario: Scenario): void {
    this.scenario = withGuideOf(scenario, this.origin.scenario);
    this.problems = [];
  }

  /** Takes over the core's list of edits. */
  setEdits(edits: readonly TimedEdit[]): void {
    if (JSON.stringify(edits) !== JSON.stringify(this.scenario.edits))
      this.scenario = withGuideOf({ ...this.scenario, edits: [...edits] }, this.origin.scenario);
  }

  /** Adds the state before a change to undo; of all changes in one drag only the first adds one. */
  mark(before: Point): void {
    this.#redo = [];
    const drag = currentDrag();
    if (drag !== null && drag === this.#drag) return;
    this.#drag = drag;
    this.#undo = [...this.#undo, this.#kept(before)].slice(-MAX_UNDO);
  }

  /** Takes the point before the last change from undo; null if there is none. `atNs` is the present time, for redo. */
  takeUndo(atNs: number): Point | null {
    const last = this.#undo.at(-1);
    if (!last) return null;
    this.#undo = this.#undo.slice(0, -1);
    this.#redo = [...this.#redo, this.#kept({ scenario: this.scenario, atNs })];
    return this.#back(last);
  }

  /** Takes the point before the last undo; null if there is none. */
  takeRedo(atNs: number): Point | null {
    const last = this.#redo.at(-1);
    if (!last) return null;
    this.#redo = this.#redo.slice(0, -1);
    this.#undo = [...this.#undo, this.#kept({ scenario: this.scenario, atNs })];
    return this.#back(last);
  }

  #kept({ scenario, atNs }: Point): UndoPoint {
    const { origin, baseId } = this;
    return { scenario, atNs, origin, baseId };
  }

  /** Going back past the opening of another scenario also restores the scenario that changes are counted against. */
  #back({ origin, baseId, ...point }: UndoPoint): Point {
    this.origin = origin;
    this.baseId = baseId;
    return point;
  }
}
