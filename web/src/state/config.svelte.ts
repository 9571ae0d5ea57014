/** The scenario on the page, the scenario it started from, its problems, and undo. */
import { withGuideOf } from '../sim/guide';
import type { Position, Problem } from '../sim/protocol';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { currentDrag } from './editing/gesture';
import { Piece } from './kept/piece.svelte';

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

/** Undo or redo. */
export type Way = 'undo' | 'redo';

/** A point with the document that it belongs to: the scenario that it started from, and the piece of work. */
export interface UndoPoint extends Point {
  readonly origin: Origin;
  readonly baseId: string;
  readonly piece: Piece;
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
  /** The piece of work that the scenario is. */
  piece = $state.raw<Piece>(new Piece());
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
    // It is no part of a drag, even if the browser's Back button opened it while the page still counts one.
    this.#drag = null;
    this.#add({ scenario: this.scenario, atNs: wasAtNs });
    this.baseId = baseId;
    this.piece = new Piece();
    this.begin(origin);
    this.replace(scenario);
  }

  /** Changes are counted against this from now on. */
  begin(origin: Origin): void {
    this.origin = origin;
  }

  /**
   * Takes over a scenario that the core accepted; undo goes back to the old one, at the time where it stood. Changes
   * are counted against `origin` if one is given.
   */
  accept(scenario: Scenario, atNs: number, origin: Origin = this.origin): void {
    const seen = JSON.stringify(withGuideOf(scenario, origin.scenario));
    // A value that was set to itself before the run began is no step.
    const isSame = atNs === 0 && origin === this.origin && seen === JSON.stringify(this.scenario);
    if (!isSame) this.mark({ scenario: this.scenario, atNs });
    this.begin(origin);
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
    this.#add(before);
  }

  #add(before: Point): void {
    this.#redo = [];
    this.#undo = [...this.#undo, this.#kept(before)].slice(-MAX_UNDO);
  }

  /** The point that undo or redo goes to; null if there is none. */
  next(way: Way): UndoPoint | null {
    return (way === 'undo' ? this.#undo : this.#redo).at(-1) ?? null;
  }

  /**
   * Goes to that point, whose scenario runs by now. The scenario returns to its own document: what changes are counted
   * against, and the piece of work. `atNs` is the time at which the present one stood.
   */
  go(way: Way, atNs: number): void {
    const to = this.next(way);
    if (!to) return;
    const present = this.#kept({ scenario: this.scenario, atNs });
    if (way === 'undo')
      [this.#undo, this.#redo] = [this.#undo.slice(0, -1), [...this.#redo, present]];
    else [this.#redo, this.#undo] = [this.#redo.slice(0, -1), [...this.#undo, present]];
    this.origin = to.origin;
    this.baseId = to.baseId;
    this.piece = to.piece;
    this.scenario = to.scenario;
    this.problems = [];
  }

  /** The pieces of work that are on the page, or that undo and redo can bring back. */
  get pieces(): ReadonlySet<Piece> {
    return new Set([this, ...this.#undo, ...this.#redo].map(({ piece }) => piece));
  }

  #kept({ scenario, atNs }: Point): UndoPoint {
    const { origin, baseId, piece } = this;
    return { scenario, atNs, origin, baseId, piece };
  }
}
