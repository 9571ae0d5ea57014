/** The scenario on the page, what it started from, what is wrong with it, and the way back. */
import { withGuideOf } from '../sim/guide';
import type { Position, Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { currentDrag } from './gesture';

const MAX_UNDO = 100;

/** What somebody opened: the scenario that changes are told against, and the moment at which it stood. */
export interface Origin {
  readonly scenario: Scenario;
  readonly atNs: number;
  readonly position: Position | null;
}

/** A point that can be gone back to: a scenario with its edits, and a time. */
export interface Point {
  readonly scenario: Scenario;
  readonly atNs: number;
}

/** A point, and what it started from. */
interface Kept extends Point {
  readonly origin: Origin;
  readonly baseId: string;
}

/**
 * Scenarios are replaced, never changed in place: that makes undo a list of them. The guide of the one that was opened
 * goes with the first change of lanes, machine or threads, and comes back with the last.
 */
export class Config {
  /** The scenario that runs, live edits included. */
  scenario = $state.raw<Scenario>() as Scenario;
  /** What it started from. */
  origin = $state.raw<Origin>() as Origin;
  /** Why the last change was refused. */
  problems = $state.raw<readonly Problem[]>([]);
  /** Shipped scenario that this one started from. */
  baseId = $state('');
  #undo = $state.raw<readonly Kept[]>([]);
  #redo = $state.raw<readonly Kept[]>([]);
  /** The drag that made the last step back. */
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

  /** Another scenario was opened: what was there before can be had back, as it was at a time. */
  open(scenario: Scenario, baseId: string, origin: Origin, wasAtNs: number): void {
    this.mark({ scenario: this.scenario, atNs: wasAtNs });
    this.baseId = baseId;
    this.begin(origin);
    this.replace(scenario);
  }

  /** From now on changes are told against this. */
  begin(origin: Origin): void {
    this.origin = origin;
  }

  /** Takes over a scenario that the core accepted; the old one can be had back, as it was at a time. */
  accept(scenario: Scenario, atNs: number): void {
    this.mark({ scenario: this.scenario, atNs });
    this.replace(scenario);
  }

  /** Takes over a scenario without a way back, for things that are no change of the user's. */
  replace(scenario: Scenario): void {
    this.scenario = withGuideOf(scenario, this.origin.scenario);
    this.problems = [];
  }

  /** Takes over the core's list of edits. */
  setEdits(edits: readonly TimedEdit[]): void {
    if (JSON.stringify(edits) !== JSON.stringify(this.scenario.edits))
      this.scenario = withGuideOf({ ...this.scenario, edits: [...edits] }, this.origin.scenario);
  }

  /** Remembers what there was before a change; of all changes of one drag, before the first. */
  mark(before: Point): void {
    this.#redo = [];
    const drag = currentDrag();
    if (drag !== null && drag === this.#drag) return;
    this.#drag = drag;
    this.#undo = [...this.#undo, this.#kept(before)].slice(-MAX_UNDO);
  }

  /** Goes back to before the last change, or null; `atNs` is the present time, for the way forth. */
  takeUndo(atNs: number): Point | null {
    const last = this.#undo.at(-1);
    if (!last) return null;
    this.#undo = this.#undo.slice(0, -1);
    this.#redo = [...this.#redo, this.#kept({ scenario: this.scenario, atNs })];
    return this.#back(last);
  }

  /** Goes to before the last undo, or null. */
  takeRedo(atNs: number): Point | null {
    const last = this.#redo.at(-1);
    if (!last) return null;
    this.#redo = this.#redo.slice(0, -1);
    this.#undo = [...this.#undo, this.#kept({ scenario: this.scenario, atNs })];
    return this.#back(last);
  }

  #kept({ scenario, atNs }: Point): Kept {
    const { origin, baseId } = this;
    return { scenario, atNs, origin, baseId };
  }

  /** Who goes back over the opening of another scenario is told its changes against what it started from. */
  #back({ origin, baseId, ...point }: Kept): Point {
    this.origin = origin;
    this.baseId = baseId;
    return point;
  }
}
