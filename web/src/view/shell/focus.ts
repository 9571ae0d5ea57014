/**
 * Decides which element has the focus. A control that the pointer pressed does not keep it: the focus returns to the
 * stage, so that Space plays and arrow keys work there. A control that was reached by keyboard keeps it, and so do
 * all text fields.
 */
import type { Lab } from '../../state/lab.svelte';

/** Types of inputs that are not text fields. */
const PRESSED = ['range', 'checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'color'];

/** Controls that take the focus when they are pressed but do not need it afterwards. */
const CONTROLS = `button, summary, a[href], label, select, [role="tab"], [role="option"], ${PRESSED.map((type) => `input[type="${type}"]`).join(', ')}`;

/** The control that the pointer pressed last, until the keyboard moves the focus. */
let pressed: Element | null = null;

/** The element of an event, if it is one. */
export function elementOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target : null;
}

/** Whether an element takes typed text. */
export function isTextField(element: HTMLElement): boolean {
  if (element.isContentEditable || element.closest('textarea')) return true;
  const input = element.closest('input');
  return input !== null && !PRESSED.includes(input.type);
}

/** Whether an element is inside a modal dialog. */
export function isInDialog(element: Element): boolean {
  return element.closest('dialog')?.matches(':modal') === true;
}

/**
 * Whether Space belongs to the element: a button, a summary, a box or a list that was reached by keyboard. Tabs and
 * sliders do not use Space.
 */
export function keepsSpace(element: HTMLElement): boolean {
  const control = element.closest(
    'button, summary, select, input[type="checkbox"], input[type="radio"], input[type="file"]',
  );
  return control !== null && control.role !== 'tab' && control !== pressed;
}

/** Whether the pointer pressed an element, and the keyboard has not moved the focus since. */
export function isPressed(element: HTMLElement): boolean {
  return element === pressed;
}

const MACHINE = '[role="application"][data-view="Machine"]';

/** Focuses a machine: that of the lane around an element, else of the selected lane. */
export function focusStage({ selection }: Pick<Lab, 'selection'>, near?: Element): void {
  const lane = near?.closest('section.lane') ?? document;
  const own = `[data-lane="${String(selection.lane)}"] ${MACHINE}`;
  const machine = lane.querySelector<HTMLElement>(lane === document ? own : MACHINE);
  machine?.focus({ preventScroll: true });
}

/** The parts of the page that say where the focus belongs. */
type FocusedPage = Pick<Lab, 'lessons' | 'prefs' | 'selection'>;

/** Returns the focus to the stage, if the pressed control has it. */
function giveBack(lab: FocusedPage, control: Element): void {
  const { activeElement } = document;
  if (activeElement !== control || isInDialog(control)) return;
  // In a lesson the next key belongs to the lesson: Enter presses its large button.
  const isOfLesson = lab.lessons.open !== null && control.closest('aside.lesson') !== null;
  if (!isOfLesson && !lab.prefs.isPresenting) focusStage(lab, control);
  // While presenting, on a page without a stage, or in a hidden lane.
  if (document.activeElement === control && control instanceof HTMLElement) control.blur();
}

/** Follows the pointer from now on; the returned function ends that. */
export function returnsFocus(lab: FocusedPage, isOnStage: () => boolean): () => void {
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
  // Before the control acts, so that a panel that it opens returns the focus to the stage, not to the control. An
  // open list must keep the focus until something is chosen.
  addEventListener(
    'click',
    ({ detail, target }) => {
      const control = controlOf(target);
      if (detail === 0 || !control || control !== pressed || !isOnStage()) return;
      if (!(control instanceof HTMLSelectElement)) giveBack(lab, control);
    },
    capture,
  );
  // After a choice in a list, after a slider is released, or after the label of a box is pressed.
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
