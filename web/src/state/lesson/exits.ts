/** The last exit of every lane, where a lesson asks to order them: what its charts show. */
import type { Lesson } from '../../sim/types/Lesson';
import { namedIn } from './quantity';
import { isTold } from './steps';

/** A lane of the question, by the name that the question gives it. */
export interface LaneExit {
  readonly name: string;
  /** A text that the run fills in with the time. */
  readonly ask: string;
}

/** A lane with the time that the run gives. */
export interface ToldExit {
  readonly name: string;
  /** From 0. */
  readonly lane: number;
  readonly seconds: number;
  /** The time in words: `11.4 s`. */
  readonly text: string;
}

const RANKED = 'rank(exit(lane, last))';

/** The lanes, at the first step that explains the run; empty at all others, and where no question orders last exits. */
export function exitsAt(lesson: Lesson, step: number): readonly LaneExit[] {
  const first = lesson.steps.findIndex(({ kind }) => kind === 'explain') + 1;
  if (step !== first) return [];
  return lesson.steps.flatMap((asked, i) => {
    if (asked.kind !== 'predict' || asked.answer.type !== 'order') return [];
    if (asked.truth !== RANKED || !isTold(lesson, i + 1, step)) return [];
    return asked.answer.items.map((name, lane) => ({
      name,
      ask: `{exit(${String(lane + 1)}, last):s}`,
    }));
  });
}

/** The lanes in the order of their exits, with the texts that the run has filled in. */
export function toldExits(
  lanes: readonly LaneExit[],
  filled: readonly string[],
): readonly ToldExit[] {
  return lanes
    .flatMap(({ name }, i) => {
      const text = filled[i] ?? '';
      const seconds = namedIn(text)?.value;
      return seconds === undefined ? [] : [{ name, lane: i, seconds, text }];
    })
    .sort((a, b) => a.seconds - b.seconds);
}
