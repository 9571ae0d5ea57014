/** What the large button of a lesson does at each step: the next thing to do. */
import type { LessonState } from './lesson.svelte';
import { kindOf, nameAfter } from './steps';

/** The thing that comes next. */
export interface Action {
  readonly label: string;
  readonly isEnabled: boolean;
  act(): void;
}

function onward(lesson: LessonState): Action {
  const isLast = lesson.step >= lesson.steps;
  return {
    label: isLast ? 'The end' : `Next: ${nameAfter(lesson.lesson, lesson.step)}`,
    isEnabled: !isLast && lesson.canGoOn,
    act: () => {
      lesson.move(1);
    },
  };
}

function keepGuess(lesson: LessonState): Action {
  const isRunNext = kindOf(lesson.lesson, lesson.step + 1) === 'run';
  const hasGuess = lesson.draft !== null;
  if (lesson.isKept && !hasGuess) return onward(lesson);
  const isSkipped = !hasGuess && lesson.maySkip;
  const keep = isRunNext ? 'Keep my guess and run' : 'Keep my guess';
  return {
    label: isSkipped ? 'Go on without a guess' : keep,
    isEnabled: hasGuess || lesson.maySkip,
    act: () => {
      if (hasGuess) lesson.keepAndGoOn();
      else lesson.move(1);
    },
  };
}

function runOn(lesson: LessonState, isPlaying: boolean): Action {
  if (lesson.stage.done.has(lesson.step)) return onward(lesson);
  return {
    label: isPlaying ? 'Skip to the stop' : 'Run',
    isEnabled: true,
    act: () => void (isPlaying ? lesson.stage.skip() : lesson.stage.play()),
  };
}

function keepSeen(lesson: LessonState): Action {
  if (lesson.draft === null) return onward(lesson);
  return {
    label: 'Keep my answer',
    isEnabled: true,
    act: () => {
      lesson.keep();
    },
  };
}

function change(lesson: LessonState): Action {
  if (lesson.stage.done.has(lesson.step)) return onward(lesson);
  return { label: 'Make the change', isEnabled: true, act: () => void lesson.stage.change() };
}

function transfer(lesson: LessonState): Action {
  if (lesson.isAnswerShown) return onward(lesson);
  return {
    label: 'Show the answer',
    isEnabled: true,
    act: () => {
      lesson.keep();
      lesson.isAnswerShown = true;
    },
  };
}

/** The present action of the button. */
export function actionOf(lesson: LessonState, isPlaying: boolean): Action {
  switch (lesson.kind) {
    case 'predict':
      return keepGuess(lesson);
    case 'run':
      return runOn(lesson, isPlaying);
    case 'observe':
      return keepSeen(lesson);
    case 'change':
      return change(lesson);
    case 'transfer':
      return transfer(lesson);
    default:
      return onward(lesson);
  }
}
