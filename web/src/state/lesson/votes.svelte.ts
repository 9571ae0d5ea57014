/** Shows of hands: how many people chose each option, before and after they discussed it. */
import { csv } from '../../lib/csv';
import type { Lesson } from '../../sim/types/Lesson';
import { questionId } from './steps';
import { questionOf } from './say-answer';

/** Hands for each option, in the order of the options. */
export type Hands = readonly number[];

/** Votes on one question: the second is held after a discussion. */
export const MOST_VOTES = 2;
/** Largest number of hands. */
export const MOST_HANDS = 9_999;

/** The option with most hands, from 1; null if there are none, or if several have most. */
export function mostHands(hands: Hands): number | null {
  const most = Math.max(0, ...hands);
  const first = hands.indexOf(most);
  return most > 0 && first === hands.lastIndexOf(most) ? first + 1 : null;
}

/** The number of hands that was typed; null if that is not a valid number. An empty field is 0. */
export function handsOf(text: string): number | null {
  const typed = text.trim();
  if (typed === '') return 0;
  return /^\d{1,4}$/.test(typed) ? Number(typed) : null;
}

/** The votes of one lesson, kept as long as it is open. */
export class Votes {
  #taken = $state.raw<ReadonlyMap<string, readonly Hands[]>>(new Map());
  /** Questions whose second vote is being counted. */
  #open = $state.raw<ReadonlySet<string>>(new Set());

  /** The votes on a question, the first one first. */
  of(id: string): readonly Hands[] {
    return this.#taken.get(id) ?? [];
  }

  /** Whether any votes were taken. */
  get hasAny(): boolean {
    return this.#taken.size > 0;
  }

  /** Whether hands are being counted. */
  isCounting(id: string): boolean {
    return this.of(id).length === 0 || this.#open.has(id);
  }

  /** Adds a vote; if there are two already, it replaces the last. */
  take(id: string, hands: Hands): void {
    const before = this.of(id).slice(0, MOST_VOTES - 1);
    this.#taken = new Map([...this.#taken, [id, [...before, [...hands]]]]);
    this.#open = new Set([...this.#open].filter((other) => other !== id));
  }

  /** Counts hands once more. */
  again(id: string): void {
    this.#open = new Set([...this.#open, id]);
  }

  /** Forgets everything: another hall. */
  forget(): void {
    this.#taken = new Map();
    this.#open = new Set();
  }
}

const COLUMNS = [
  'lesson',
  'step',
  'question',
  'option',
  'text',
  'first',
  'second',
  'truth',
] as const;

/** All votes as a table with a row for each option; `truthAt`: the value of the run at a step, counted from 1. */
export function votesCsv(lesson: Lesson, votes: Votes, truthAt: (step: number) => unknown): string {
  const rows = lesson.steps.flatMap((_, i) => {
    const step = i + 1;
    const [id, question] = [questionId(lesson, step), questionOf(lesson, step)];
    const [first, second] = id === null ? [] : votes.of(id);
    if (question?.type !== 'choice' || !first) return [];
    const truth = truthAt(step);
    return question.options.map((text, option) => [
      lesson.id,
      step,
      id ?? '',
      option + 1,
      text,
      first[option] ?? 0,
      second?.[option] ?? '',
      typeof truth === 'number' ? String(truth === option + 1) : '',
    ]);
  });
  return csv([[...COLUMNS], ...rows]);
}
