/** Ids of fields, so that a problem can link to its field. */
import type { Path } from '../../../lib/paths';
import { pathText } from '../../../state/machine/machine-edit';

/** Id of the field at a path in the core's notation. */
export function idOfPath(text: string): string {
  return `field-${text.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`;
}

/** Id of a field. */
export function fieldId(path: Path): string {
  return idOfPath(pathText(path));
}

/** The field of a problem, or the part around it; null if neither is on the page. */
export function fieldFor(path: string): HTMLElement | null {
  for (let text = path; text !== ''; text = text.replace(/[.[]?[^.[]*$/, '')) {
    const found = document.getElementById(idOfPath(text));
    if (found) return found;
  }
  return null;
}
