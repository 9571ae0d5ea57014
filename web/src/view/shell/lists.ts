/** Closed lists: no key chooses an entry of a list that nobody sees. Keys that would do that open the list. */
import { elementOf } from './focus';

const OPENS = /^(Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down)|Enter)$/;

function isOpen(list: HTMLSelectElement): boolean {
  try {
    return list.matches(':open');
  } catch {
    // An older browser, whose open lists take their keys themselves.
    return false;
  }
}

/** Takes a key from a closed list; whether it was one that would have chosen. */
export function onListKey(event: KeyboardEvent): boolean {
  const list = elementOf(event.target)?.closest('select');
  if (!list || list.multiple || list.size > 1 || isOpen(list)) return false;
  if (event.ctrlKey || event.metaKey) return false;
  const isLetter = event.key.length === 1 && event.key !== ' ';
  if (!isLetter && !OPENS.test(event.key)) return false;
  event.preventDefault();
  try {
    list.showPicker();
  } catch {
    // Refused in frames of other pages: there Space opens the list.
  }
  return true;
}
