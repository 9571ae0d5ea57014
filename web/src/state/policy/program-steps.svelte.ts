/**
 * The lines that a program executed for the decision that is shown. They are a recording: one goes through them forwards
 * and backwards.
 */
import { untrack } from 'svelte';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { SchedulerChoice } from '../../sim/types/SchedulerChoice';

/** A line that was executed. */
export interface Step {
  /** Line, from 1. */
  readonly line: number;
  /** The call that it belongs to: `pick(cpu 0)`. */
  readonly call: string;
  /** Names and values. */
  readonly values: readonly (readonly [string, string])[];
  /** The answer of the call, at its last line. */
  readonly answer: string | null;
}

/** All lines of a decision's calls, in their order. */
export function stepsOf({ calls = [] }: Pick<DecisionView, 'calls'>): readonly Step[] {
  return calls.flatMap(({ call, answer, steps }) =>
    steps.map(({ line, values }, i) => ({
      ...{ line, call, values },
      answer: i === steps.length - 1 ? answer : null,
    })),
  );
}

/** What stands beside a line once a step is reached: for each time that it was executed, its values in words. */
export interface Executed {
  readonly line: number;
  readonly turns: readonly string[];
  readonly isCurrent: boolean;
}

/** A step in words: its values, and what its call answered. */
export function wordsOf({ values, answer }: Step): string {
  const all = values.map(([name, value]) => `${name} = ${value}`);
  return [...all, ...(answer === null ? [] : [`→ ${answer}`])].join(', ');
}

/** The executed lines up to a step, each once, in the order of the text. */
export function executedUpTo(steps: readonly Step[], at: number): readonly Executed[] {
  const lines = new Map<number, string[]>();
  for (const step of steps.slice(0, at + 1)) {
    const turns = lines.get(step.line) ?? [];
    const words = wordsOf(step);
    if (words !== '') turns.push(words);
    lines.set(step.line, turns);
  }
  const current = steps[at]?.line;
  return [...lines]
    .map(([line, turns]) => ({ line, turns, isCurrent: line === current }))
    .sort((a, b) => a.line - b.line);
}

/** The program of a lane, as its scenario says it. */
type Program = Pick<SchedulerChoice, 'program' | 'era'>;

const sourceOf = ({ program, era }: Program): string => program ?? era ?? '';

/** See the module comment. */
export class ProgramSteps {
  #lane = $state(-1);
  /** The program that made the decision. */
  #source = '';
  #decision = $state.raw<DecisionView | null>(null);
  #at = $state(0);
  readonly all = $derived(this.#decision === null ? [] : stepsOf(this.#decision));

  /**
   * Takes the decision that is shown of a lane, and the program that made it. An effect that calls it does not follow what
   * was shown before.
   */
  show(lane: number, decision: DecisionView, program: Program): void {
    if (untrack(() => lane === this.#lane && decision === this.#decision)) return;
    this.#lane = lane;
    this.#source = sourceOf(program);
    this.#decision = decision;
    this.#at = 0;
  }

  /** A decision is not shown any more. */
  leave(decision: DecisionView): void {
    if (decision === this.#decision) this.clear();
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.#decision = null;
  }

  /** The decision whose lines a lane shows beside its program; null if it shows none. Those of another program are stale. */
  of(lane: number, program: Program): DecisionView | null {
    const isOf = lane === this.#lane && this.all.length > 0 && sourceOf(program) === this.#source;
    return isOf ? this.#decision : null;
  }

  /** Position of the step, from 0. */
  get at(): number {
    return Math.min(this.#at, Math.max(0, this.all.length - 1));
  }

  get step(): Step | null {
    return this.all[this.at] ?? null;
  }

  /** Goes to a step; beyond the ends it stays there. */
  go(to: number): void {
    this.#at = Math.max(0, Math.min(this.all.length - 1, to));
  }
}
