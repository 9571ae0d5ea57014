/** The last exit of every lane, where a lesson asks to order them: what its charts show. */
import type { Lesson } from '../../sim/types/Lesson';
import type { OwnValue } from '../../sim/types/OwnValue';
import { isTold } from './steps';

/** A lane of the question, by the name that the question gives it. */
export interface LaneExit {
  readonly name: string;
  /** An expression for the time. */
  readonly ask: string;
}

/** A lane with the time that the run gives. */
export interface ToldExit {
  readonly name: string;
  /** From 0. */
  readonly lane: number;
  readonly ns: number;
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
      ask: `exit(${String(lane + 1)}, last)`,
    }));
  });
}

/** The lanes in the order of their exits, with the values of the run; without those whose exit it lacks. */
export function toldExits(
  lanes: readonly LaneExit[],
  values: readonly OwnValue[],
): readonly ToldExit[] {
  return lanes
    .flatMap(({ name }, i) => {
      const { number: ns = null, text = '' } = values[i] ?? {};
      return ns === null ? [] : [{ name, lane: i, ns, text }];
    })
    .sort((a, b) => a.ns - b.ns);
}
