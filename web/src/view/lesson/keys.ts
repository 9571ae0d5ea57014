/** Keys of a lesson. Their effects are loaded with the lesson. */
import type { Lab } from '../../state/lab.svelte';
import type { Key } from '../shell/key-table';

/** Takes the next step of the lesson, unless Enter belongs to the focused element. */
function goOn({ lessons }: Lab): boolean {
  const lesson = lessons.open;
  const { activeElement } = document;
  const isFree =
    !activeElement ||
    activeElement === document.body ||
    activeElement.matches('[data-lesson-heading], [data-lesson-step]');
  if (!lesson?.action.isEnabled || !isFree) return false;
  lesson.action.act();
  return true;
}

/** See the module comment. */
export const LESSON_KEYS: readonly Key[] = [
  {
    group: 'In a lesson',
    label: 'A – E',
    does: 'choose an option',
    on: ['a', 'b', 'c', 'd', 'e'],
    isInLesson: true,
    act: ({ lessons, prefs }, _, key) =>
      !prefs.isPresenting && lessons.open?.chooseOption(key.charCodeAt(0) - 96) === true,
  },
  {
    group: 'In a lesson',
    label: 'Enter',
    does: 'keep the guess, run, go on: what the large button says',
    on: ['Enter'],
    isInLesson: true,
    act: goOn,
  },
  {
    group: 'In a lesson',
    label: 'Page Up, Page Down',
    does: 'the step before, the next step',
    on: ['PageUp', 'PageDown'],
    isInLesson: true,
    act: ({ lessons, prefs }, _, key) => {
      const by = key === 'PageUp' ? -1 : 1;
      if (prefs.isPresenting) lessons.open?.moveClassroom(by);
      else lessons.open?.move(by);
    },
  },
  {
    group: 'While presenting',
    label: '1 – 5',
    does: 'in a lesson: the option that the hall voted for, while a question is open',
    on: ['1', '2', '3', '4', '5'],
    isPresenting: true,
    isInLesson: true,
    act: ({ lessons }, _, key) => lessons.open?.chooseOption(Number(key)) === true,
  },
  {
    group: 'While presenting',
    label: 'N',
    does: 'in a lesson: the notes, in a second window',
    on: ['n'],
    isPresenting: true,
    isInLesson: true,
    act: ({ prefs }) => {
      prefs.hasNotes = true;
    },
  },
];
