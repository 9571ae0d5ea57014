/** The last exits of all lanes, asked for again with each run. */
import { exitsAt, type ToldExit, toldExits } from '../../state/lesson/exits';
import type { LessonState } from '../../state/lesson/lesson.svelte';

/** Follows the step and the run; empty where no exits are told. To be called while a component begins. */
export function followExits(of: () => LessonState): { readonly told: readonly ToldExit[] } {
  let told = $state.raw<readonly ToldExit[]>([]);
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
        if (!isGone) told = toldExits(lanes, values);
      },
      // Another run has begun, and is asked again.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  });
  return {
    get told() {
      return told;
    },
  };
}
