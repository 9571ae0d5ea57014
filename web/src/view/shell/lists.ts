/** Closed lists: a key that would choose an entry unseen opens the list instead. */
import { elementOf } from './focus';

const OPENS = /^(Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down)|Enter)$/;

function isOpen(list: HTMLSelectElement): boolean {
  try {
    return list.matches(':open');
  } catch {
    // An older browser without this function.
    return false;
  }
}

/** Handles a key of a closed list; returns whether the key would have chosen an entry. */
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
    // Browsers refuse in frames of other sites: there, Space opens the list.
  }
  return true;
}
