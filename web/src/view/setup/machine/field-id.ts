/** Ids of fields, so that a problem can lead to its field. */
import type { Path } from '../../../lib/paths';
import { pathText } from '../../../state/machine-edit';

/** Id of the field at a path as the core writes it. */
export function idOfPath(text: string): string {
  return `field-${text.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`;
}

/** Id of a field. */
export function fieldId(path: Path): string {
  return idOfPath(pathText(path));
}

/** The field that a problem is about, or the part that it is in; null when nothing shows it. */
export function fieldFor(path: string): HTMLElement | null {
  for (let text = path; text !== ''; text = text.replace(/[.[]?[^.[]*$/, '')) {
    const found = document.getElementById(idOfPath(text));
    if (found) return found;
  }
  return null;
}
