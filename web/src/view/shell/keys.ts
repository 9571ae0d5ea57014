/** Keys that hold on the whole page. */
import type { Lab } from '../../state/lab.svelte';
import { elementOf, focusStage, isInDialog, isPressed, isTextField, keepsSpace } from './focus';
import { partsOf } from '../features';
import { isThere, type Key, PAGE_KEYS, type PageActions } from './key-table';
import { onListKey } from './lists';

/** All keys, in the order of the list. Of several entries for one key, the first that applies is used. */
export const KEYS: readonly Key[] = [...PAGE_KEYS, ...partsOf('keys')];

/** A key press as the table names it. */
export function nameOfKey(event: KeyboardEvent): string {
  const { key } = event;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const ctrl = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  // Signs need different modifiers on different keyboards.
  const shift = isLetter && event.shiftKey ? 'Shift+' : '';
  return ctrl + shift + (isLetter ? key.toLowerCase() : key);
}

/** Whether a key is a single letter, digit or sign, which can be switched off. */
export function isCharacter(name: string): boolean {
  return name !== ' ' && [...name.replace('Shift+', '')].length === 1;
}

/** Acts on a key. A key that the lesson does not use may have an effect on the page. */
function meaningOf(
  name: string,
  { lessons, prefs }: Lab,
  actions: PageActions,
  isInLesson: boolean,
): Key | undefined {
  if (isCharacter(name) && !prefs.hasCharacterKeys) return undefined;
  if (isInLesson && lessons.open === null) return undefined;
  return KEYS.find(
    (key) =>
      key.on?.includes(name) === true &&
      (key.isInLesson === true) === isInLesson &&
      (!key.isPresenting || prefs.isPresenting) &&
      (key.isEverywhere === true || actions.hasStage()) &&
      isThere(key, actions),
  );
}

/** Whether a key was one of the lesson's. */
function actsInLesson(
  element: HTMLElement | null,
  name: string,
  lab: Lab,
  actions: PageActions,
): boolean {
  if (element && (isTextField(element) || isInDialog(element))) return false;
  const key = meaningOf(name, lab, actions, true);
  return key?.act !== undefined && key.act(lab, actions, name) !== false;
}

/** Handles a key press. */
export function onGlobalKey(event: KeyboardEvent, lab: Lab, actions: PageActions): void {
  if (event.defaultPrevented || event.altKey) return;
  const element = elementOf(event.target);
  const name = nameOfKey(event);
  if (actsInLesson(element, name, lab, actions)) {
    event.preventDefault();
    return;
  }
  const key = meaningOf(name, lab, actions, false);
  const isShut = element !== null && (isTextField(element) || isInDialog(element));
  // In a picture the arrow keys go from thread to thread; lists and sliders use them, too.
  const isOwn =
    key?.isPresenting === true &&
    element?.closest('[role="application"], select, input[type="range"]') != null;
  if (!key?.act || isShut || isOwn || (name === ' ' && element && keepsSpace(element))) {
    onListKey(event);
    return;
  }
  // Otherwise releasing the key would press the button.
  if (element && isPressed(element)) focusStage(lab);
  if (key.act(lab, actions, name) !== false) event.preventDefault();
  else onListKey(event);
}
