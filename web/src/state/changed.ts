/** What differs from the scenario that was opened, for everything that names the run: chip, title, files, pictures. */
import { differsFrom, type Names } from '../files/differs';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';

/** More changes in one line nobody reads. */
const MOST_TOLD = 2;

/** How a catalog calls machines and schedulers. */
export function namesOf(catalog: Catalog | null): Names {
  return {
    machine: (id) => catalog?.machines.find((m) => m.spec.id === id)?.spec.name ?? id,
    scheduler: (id) => catalog?.schedulers.find((s) => s.id === id)?.name ?? id,
  };
}

/** What differs, one phrase for each change; empty if nothing does. */
export function changesOf(
  scenario: Scenario,
  origin: Scenario,
  catalog: Catalog | null,
): readonly string[] {
  return scenario === origin ? [] : differsFrom(scenario, origin, namesOf(catalog));
}

/** The first two changes, and how many more there are. */
export function tellChanges(changes: readonly string[]): string {
  const more = changes.length - MOST_TOLD;
  const told = changes.slice(0, MOST_TOLD).join('; ');
  return more > 0 ? `${told}; ${String(more)} more` : told;
}

/** The name of a run: its scenario's, or what it was changed from and how. */
export function nameOfRun(name: string, changes: readonly string[]): string {
  return changes.length === 0 ? name : `changed from “${name}” (${tellChanges(changes)})`;
}
