/** The numbers of a lesson in front of a class: the run's, that of most hands, and their difference. */
import { type AmountInWords, lineOf } from '../../state/lesson/answer';
import type { LessonState } from '../../state/lesson/lesson.svelte';
import { focusOf } from '../../state/lesson/marks';
import type { Predict } from '../../state/lesson/steps';

/** See the module comment. */
export interface ClassroomLine {
  readonly name: string;
  readonly main: AmountInWords;
  readonly second: AmountInWords | null;
  readonly difference: AmountInWords | null;
}

/** Steps that show the guess beside the result. */
export const showsGuess = (lesson: LessonState): boolean =>
  ['run', 'observe', 'explain'].includes(lesson.kind);

/** The question of this step, else the prediction that the step is about. */
export const asksAbout = (lesson: LessonState): Predict | null =>
  focusOf(lesson.predicts, lesson.step);

/** The numbers; null where the run may not tell them yet. */
export function classroomLine(lesson: LessonState): ClassroomLine | null {
  const focus = asksAbout(lesson);
  if (!showsGuess(lesson) || !focus || lesson.stage.hasLeft) return null;
  const revealed = lesson.revealed(focus);
  if (!revealed) return null;
  const made = lineOf(focus, lesson.answerAt(focus.number), revealed);
  const of = lesson.votes.of(focus.id).length > 0 ? 'most hands' : 'the hall';
  return {
    name: focus.ask,
    main: { ...made.truth, about: 'the run' },
    second: made.guess && { ...made.guess, about: of },
    difference: made.difference && { ...made.difference, about: 'from that' },
  };
}
