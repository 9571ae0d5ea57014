/** The last exit of every lane, where a lesson asks to order them: what its charts show. */
import type { Lesson } from '../../sim/types/Lesson';
import type { OwnValue } from '../../sim/types/OwnValue';
import { isRevealed } from './steps';

/** A lane of the question, by the name that the question gives it. */
export interface LaneExit {
  readonly name: string;
  /** An expression for the time. */
  readonly ask: string;
}

/** A lane with the time that the run gives. */
export interface RevealedExit {
  readonly name: string;
  /** From 0. */
  readonly lane: number;
  readonly ns: number;
  /** The time in words: `11.4 s`. */
  readonly text: string;
}

const RANKED = 'rank(exit(lane, last))';

/** The first step that explains the run; 0 if there is none. */
const firstExplained = (lesson: Lesson) =>
  lesson.steps.findIndex(({ kind }) => kind === 'explain') + 1;

/** Whether a step is the first that explains the run, and has the last exits of all lanes to show. */
export const explainsExits = (lesson: Lesson, step: number): boolean =>
  step === firstExplained(lesson) && exitsAt(lesson, step).length > 0;

/** The lanes, from the first step that explains the run on; empty before it, and where no question orders last exits. */
export function exitsAt(lesson: Lesson, step: number): readonly LaneExit[] {
  const first = firstExplained(lesson);
  if (first === 0 || step < first) return [];
  return lesson.steps.flatMap((asked, i) => {
    if (asked.kind !== 'predict' || asked.answer.type !== 'order') return [];
    if (asked.truth !== RANKED || !isRevealed(lesson, i + 1, step)) return [];
    return asked.answer.items.map((name, lane) => ({
      name,
      ask: `exit(${String(lane + 1)}, last)`,
    }));
  });
}

/** The lanes in the order of their exits, with the values of the run; without those whose exit it lacks. */
export function revealedExits(
  lanes: readonly LaneExit[],
  values: readonly OwnValue[],
): readonly RevealedExit[] {
  return lanes
    .flatMap(({ name }, i) => {
      const { number: ns = null, text = '' } = values[i] ?? {};
      return ns === null ? [] : [{ name, lane: i, ns, text }];
    })
    .sort((a, b) => a.ns - b.ns);
}

/** When a job ends. */
export interface JobExit {
  readonly task: number;
  readonly ns: number;
}

/** Exits, the soonest first, in groups whose neighbours are less than a time apart. */
export function together(exits: readonly JobExit[], leastNs: number): readonly JobExit[][] {
  const groups: JobExit[][] = [];
  for (const exit of exits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && exit.ns - last.ns < leastNs) group.push(exit);
    else groups.push([exit]);
  }
  return groups;
}
