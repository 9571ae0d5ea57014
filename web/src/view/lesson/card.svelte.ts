/** The card of a step's decision: it opens and closes with the step. */
import { untrack } from 'svelte';
import { clock } from '../../lib/format';
import type { LessonState } from '../../state/lesson/lesson.svelte';
import { ask, askDecision, type AskingPage } from '../explain/ask';

/** Opens the card of the present step, if the step is about a decision. */
export function openCard(lab: AskingPage, lesson: LessonState): void {
  const point = lesson.view?.point;
  if (point?.decision == null) return;
  const title = point.atNs === null ? 'The decision' : `The decision at ${clock(point.atNs)}`;
  ask(lab, { ...askDecision(point.lane, point.decision), title });
  lab.prefs.inspectOpen = true;
}

/** Whether the lesson covers the place of the card: then a button opens it. */
export function isInTheWay({ prefs }: Pick<AskingPage, 'prefs'>): boolean {
  return prefs.width < 1024;
}

/** Follows the lesson as long as its column is on the page. */
export function followCard(lab: AskingPage, lesson: () => LessonState): void {
  const { prefs, selection } = lab;
  let before: boolean | null = null;
  let hasCard = false;
  const shut = (): void => {
    if (!hasCard) return;
    prefs.inspectOpen = before;
    selection.asked = null;
    hasCard = false;
  };
  $effect(() => {
    const { kind, stage, view } = lesson();
    const hasDecision = kind === 'explain' && !stage.hasLeft && view?.point?.decision != null;
    untrack(() => {
      shut();
      if (!hasDecision || isInTheWay(lab)) return;
      before = prefs.inspectOpen;
      hasCard = true;
      openCard(lab, lesson());
    });
    return () => {
      untrack(shut);
    };
  });
}
