/**
 * Exercises for own policies: which one is chosen, and what a program gave in each of its cases. The cases run in a worker,
 * one after the other, so each result is there as soon as it can be.
 */
import { messageOf } from '../../lib/assert';
import { firstProblem } from '../../lib/core-message';
import { LESSON_LANGUAGE } from '../../lib/language';
import { Superseded } from '../../sim/client';
import { LessonClient, type LessonWorker } from '../../sim/lesson/client';
import { exerciseList } from '../../sim/lesson/list';
import { OWN } from '../../sim/policy/own';
import type { CaseEntry } from '../../sim/types/CaseEntry';
import type { ExerciseEntry } from '../../sim/types/ExerciseEntry';
import type { Tried } from '../../sim/types/Tried';
import { type Change, toSet } from '../editing/change';

/** A case of the chosen exercise, with what came of it if it was tried. */
export interface CaseNow {
  readonly entry: CaseEntry;
  readonly tried: Tried | null;
}

/** The page that a case's run opens in. */
export interface ExercisePage {
  readonly config: { readonly baseId: string } | null;
  readonly look: { readonly isLocked: boolean };
  readonly editing: { change(change: Change): void };
  openScenario(scenario: unknown, baseId: string): Promise<boolean>;
}

/** See the module comment. */
export class Exercises {
  readonly #page: ExercisePage;
  readonly #client: LessonClient;
  /** All exercises; empty until they are loaded. */
  list = $state.raw<readonly ExerciseEntry[]>([]);
  /** Id of the chosen one; empty: none. */
  chosen = $state('');
  /** The program that was checked last; null before. */
  program = $state<string | null>(null);
  #tried = $state.raw<readonly Tried[]>([]);
  /** Why it could not be checked; empty if it could. */
  problem = $state('');
  /** Whether cases are being tried. */
  isBusy = $state(false);
  #checks = 0;

  constructor(page: ExercisePage, spawn: () => LessonWorker) {
    this.#page = page;
    this.#client = new LessonClient(spawn);
  }

  /** The chosen exercise. */
  get exercise(): ExerciseEntry | undefined {
    return this.list.find(({ id }) => id === this.chosen);
  }

  /** The cases that may be seen: hidden ones after the first check. */
  get cases(): readonly CaseNow[] {
    const all = this.exercise?.cases ?? [];
    const now = all.map((entry, i) => ({ entry, tried: this.#tried[i] ?? null }));
    return this.program === null ? now.filter(({ entry }) => entry.set !== 'hidden') : now;
  }

  /** How many cases wait for the first check. */
  get hidden(): number {
    return (this.exercise?.cases.length ?? 0) - this.cases.length;
  }

  /** How many cases hold; null while that is not known. */
  get passed(): { readonly count: number; readonly of: number; readonly isWhole: boolean } | null {
    const all = this.exercise?.cases ?? [];
    if (this.#tried.length < all.length || all.length === 0) return null;
    const needed = this.#tried.filter(({ set }) => set !== 'bonus');
    const held = needed.filter(({ passed }) => passed);
    return { count: held.length, of: needed.length, isWhole: held.length === needed.length };
  }

  /** Loads the list. */
  async load(): Promise<void> {
    if (this.list.length === 0) this.list = await exerciseList();
  }

  /** Chooses an exercise, or none. */
  choose(id: string): void {
    this.#stop();
    this.chosen = id;
  }

  /** Gives a lane the policy that the exercise begins with. */
  begin(lane: number): void {
    const { template: era, program } = this.exercise ?? {};
    const policy = era ? { era } : program ? { program } : null;
    if (policy)
      this.#page.editing.change(toSet(['lanes', String(lane + 1)], { id: OWN, ...policy }));
  }

  /** Tries a program in every case. */
  async check(program: string): Promise<void> {
    const { exercise } = this;
    if (!exercise) return;
    this.#stop();
    const checks = this.#checks;
    this.program = program;
    this.isBusy = true;
    try {
      for (const index of exercise.cases.keys()) {
        const of = { exercise: exercise.id, index, program, language: LESSON_LANGUAGE };
        const tried = await this.#client.call('tried', of);
        if (checks !== this.#checks) return;
        this.#tried = [...this.#tried, tried];
      }
    } catch (error) {
      if (error instanceof Superseded || checks !== this.#checks) return;
      this.problem = firstProblem(messageOf(error));
    } finally {
      if (checks === this.#checks) this.isBusy = false;
    }
  }

  /** Opens the run of a case, with the program that was checked. */
  async open({ entry, tried }: CaseNow): Promise<void> {
    const { exercise, program } = this;
    if (!exercise || program === null || !tried || this.#page.look.isLocked) return;
    const index = exercise.cases.indexOf(entry);
    const of = { exercise: exercise.id, index, program, seed: tried.seed };
    const scenario = await this.#client.call('caseScenario', of);
    await this.#page.openScenario(scenario, this.#page.config?.baseId ?? '');
  }

  #stop(): void {
    this.#checks += 1;
    this.#client.cancel();
    this.#tried = [];
    this.program = null;
    this.problem = '';
    this.isBusy = false;
  }
}
