/** The exits of all lanes, asked for again with each run. */
import { exitsAt, type JobExit, type RevealedExit, revealedExits } from '../../state/lesson/exits';
import type { LaneState } from '../../state/lane.svelte';
import type { LessonState } from '../../state/lesson/lesson.svelte';

/** Follows the step and the run; empty where no exits are told. To be called while a component begins. */
export function followExits(of: () => LessonState): { readonly revealed: readonly RevealedExit[] } {
  let revealed = $state.raw<readonly RevealedExit[]>([]);
  $effect(() => {
    const lesson = of();
    void lesson.evaluation.run;
    const lanes = exitsAt(lesson.lesson, lesson.step);
    let isGone = false;
    const asked = lanes.map(({ ask: expression }) =>
      lesson.client.call('value', { expression }, true),
    );
    void Promise.all(asked).then(
      (values) => {
        if (!isGone) revealed = revealedExits(lanes, values);
      },
      // Another run has begun, and is asked again.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  });
  return {
    get revealed() {
      return revealed;
    },
  };
}

type Lane = Pick<LaneState, 'index' | 'jobs' | 'nameOf'>;

/** Follows when each job of each lane ends, the soonest first. To be called while a component begins. */
export function followJobs(
  of: () => LessonState,
  lanesOf: () => readonly Lane[],
): { of(lane: number): readonly JobExit[] } {
  let revealed = $state.raw<ReadonlyMap<number, readonly JobExit[]>>(new Map());
  $effect(() => {
    const lesson = of();
    void lesson.evaluation.run;
    let isGone = false;
    const exitOf = async (lane: Lane, task: number): Promise<readonly JobExit[]> => {
      const expression = `exit(${String(lane.index + 1)}, ${JSON.stringify(lane.nameOf(task))})`;
      const { number } = await lesson.client.call('value', { expression });
      return number === null ? [] : [{ task, ns: number }];
    };
    const lanes = lanesOf().map(async (lane) => {
      const exits = await Promise.all(lane.jobs.map((task) => exitOf(lane, task)));
      return [lane.index, exits.flat().sort((a, b) => a.ns - b.ns)] as const;
    });
    void Promise.all(lanes).then(
      (all) => {
        if (!isGone) revealed = new Map(all);
      },
      // Another run has begun, and is asked again.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  });
  return { of: (lane) => revealed.get(lane) ?? [] };
}
