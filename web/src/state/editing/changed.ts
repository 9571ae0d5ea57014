/** The changes since the scenario was opened, for everything that names the run: chip, title, files, pictures. */
import { differsFrom } from '../../files/differs';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';

/** Most changes in one line; a count stands for the others. */
const MOST_LISTED = 2;

/** The changes, one phrase each; empty if there are none. */
export function changesOf(
  scenario: Scenario,
  origin: Scenario,
  catalog: Catalog | null,
): readonly string[] {
  return catalog ? differsFrom(scenario, origin, catalog) : [];
}

/** The first two changes, and a count of the others. */
export function tellChanges(changes: readonly string[]): string {
  const more = changes.length - MOST_LISTED;
  const first = changes.slice(0, MOST_LISTED).join('; ');
  return more > 0 ? `${first}; ${String(more)} more` : first;
}

/** The name of a run: its scenario's name, with the changes if there are any. */
export function nameOfRun(name: string, changes: readonly string[]): string {
  return changes.length === 0 ? name : `changed from “${name}” (${tellChanges(changes)})`;
}
