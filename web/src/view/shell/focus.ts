/**
 * Where the keys go. What the pointer has pressed does not keep the focus: it returns to the stage, so that Space plays
 * and arrows walk there. What the keyboard has reached keeps it, and text fields always do.
 */
import type { Lab } from '../../state/lab.svelte';

/** Input elements that are no text fields. */
const PRESSED = ['range', 'checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'color'];

/** What takes the focus when it is pressed and has no use for it afterwards. */
const CONTROLS = `button, summary, a[href], label, select, [role="tab"], [role="option"], ${PRESSED.map((type) => `input[type="${type}"]`).join(', ')}`;

/** The last thing that the pointer has pressed, as long as the keyboard has gone nowhere since. */
let pressed: Element | null = null;

/** The element of an event, if it is one. */
export function elementOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target : null;
}

/** Whether what is typed there is text. */
export function isTextField(element: HTMLElement): boolean {
  if (element.isContentEditable || element.closest('textarea')) return true;
  const input = element.closest('input');
  return input !== null && !PRESSED.includes(input.type);
}

/** Whether an element is inside a dialog that shuts off the rest of the page. */
export function isInDialog(element: Element): boolean {
  return element.closest('dialog')?.matches(':modal') === true;
}

/**
 * Whether Space belongs to the element: a button, a link of a summary, a box or a list that the keyboard has reached.
 * Tabs and sliders have no use for it.
 */
export function keepsSpace(element: HTMLElement): boolean {
  const control = element.closest(
    'button, summary, select, input[type="checkbox"], input[type="radio"], input[type="file"]',
  );
  return control !== null && control.role !== 'tab' && control !== pressed;
}

/** Whether the pointer has pressed an element, and the keyboard has gone nowhere since. */
export function isPressed(element: HTMLElement): boolean {
  return element === pressed;
}

const MACHINE = '[role="application"][data-view="Machine"]';

/** Gives the focus to a machine: that of the lane that something lies in, else of the lane that is looked at. */
export function focusStage({ selection }: Pick<Lab, 'selection'>, near?: Element): void {
  const lane = near?.closest('section.lane') ?? document;
  const own = `[data-lane="${String(selection.lane)}"] ${MACHINE}`;
  const machine = lane.querySelector<HTMLElement>(lane === document ? own : MACHINE);
  machine?.focus({ preventScroll: true });
}

/** Gives the focus back to the stage, if what was pressed has it. */
function giveBack(lab: Lab, control: Element): void {
  const { activeElement } = document;
  if (activeElement !== control || isInDialog(control)) return;
  // In a lesson the next key is for the lesson: Enter does what its large button says.
  const isOfLesson = lab.lessons.open !== null && control.closest('aside.lesson') !== null;
  if (!isOfLesson && !lab.prefs.isPresenting) focusStage(lab, control);
  // While presenting, on a page without a stage, or in a lane that is not shown.
  if (document.activeElement === control && control instanceof HTMLElement) control.blur();
}

/** Follows the pointer from now on; the returned function ends that. */
export function returnsFocus(lab: Lab, isOnStage: () => boolean): () => void {
  const end = new AbortController();
  const capture = { capture: true, signal: end.signal };
  const controlOf = (target: EventTarget | null): Element | null => {
    const control = target instanceof Element ? target.closest(CONTROLS) : null;
    return control instanceof HTMLLabelElement ? control.control : control;
  };
  addEventListener('pointerdown', ({ target }) => (pressed = controlOf(target)), capture);
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') pressed = null;
    },
    capture,
  );
  // Before the control acts: what it opens gives the focus back to the stage, not to the control. A list that is open
  // has to keep the focus until something is chosen.
  addEventListener(
    'click',
    ({ detail, target }) => {
      const control = controlOf(target);
      if (detail === 0 || !control || control !== pressed || !isOnStage()) return;
      if (!(control instanceof HTMLSelectElement)) giveBack(lab, control);
    },
    capture,
  );
  // A list that was chosen from, a slider that was let go of, a box whose words were pressed.
  addEventListener(
    'change',
    ({ target }) => {
      if (target instanceof Element && target === pressed && isOnStage()) giveBack(lab, target);
    },
    capture,
  );
  return () => {
    end.abort();
  };
}
