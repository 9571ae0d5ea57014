/** What Start shows of a scenario: its question, and how its small drawing begins and runs. */
import { coreWords } from '../../lib/language';
import { MS } from '../../lib/units';
import type { Catalog } from '../../sim/types/Catalog';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Scenario } from '../../sim/types/Scenario';
import type { ScenarioEntry } from '../../sim/types/ScenarioEntry';
import type { Thumb } from '../../sim/types/Thumb';
import type { Plan } from '../../state/preview.svelte';
import { describedTree } from './described-tree';

/** The question of a scenario; if it has none, its name. */
export function questionOf({ ask, name }: Scenario): string {
  return coreWords(ask === '' ? name : ask);
}

/** The kind of its drawing. */
export function thumbOf({ thumb }: Scenario): Thumb {
  return thumb ?? 'machine';
}

/** Speed of a drawing if the scenario gives none. */
const SPEED = 20 * MS;
/** Time in which a drawing's run goes to its first moment, so that there is something to see. */
const PLAYED_S = 3;
/** A run that opens at a moment stands a drawn second before it; its drawing begins this much later, in s. */
const TO_MOMENT_S = 1.1;

function speedOf({ opening }: Scenario): number {
  return opening?.speed ?? SPEED;
}

/** The span of time of its timeline. */
export function windowOf(scenario: Scenario): number {
  return scenario.opening?.windowNs ?? PLAYED_S * speedOf(scenario);
}

/** How its drawing begins and runs: only its first lane. */
export function planOf({ id, scenario }: ScenarioEntry): Plan {
  const { opening } = scenario;
  const speed = speedOf(scenario);
  const at = Math.min((opening?.atNs ?? 0) + PLAYED_S * speed, scenario.end.atNs);
  return {
    id,
    // Controls may belong to lanes that are left out.
    scenario: { ...scenario, schedulers: scenario.schedulers.slice(0, 1), controls: [] },
    at: opening?.moment ? 'opening' : at,
    on: opening?.moment ? TO_MOMENT_S * speed : 0,
    speed,
  };
}

/** The first scenario stands this much later, so that its rows show how it began, in s. */
const AFTER_S = 0.1;

/** The same for the first scenario, which is large: also what placement by hand does with it. */
export function heroPlanOf(entry: ScenarioEntry): Plan {
  const { scenario, speed, on = 0, ...plan } = planOf(entry);
  const byHand = entry.scenario.schedulers.slice(1).filter(({ id }) => id === 'manual');
  const schedulers = [...scenario.schedulers, ...byHand.slice(0, 1)];
  return { ...plan, speed, scenario: { ...scenario, schedulers }, on: on + AFTER_S * speed };
}

/** All drawings that a run gives. */
export function plansOf(catalog: Catalog | null): ReadonlyMap<string, Plan> {
  return new Map(
    catalog?.scenarios.map((entry, i) => [entry.id, i === 0 ? heroPlanOf(entry) : planOf(entry)]),
  );
}

/** The machine of a scenario; null for one that is not in the catalog. */
export function treeOf({ machine }: Scenario, catalog: Catalog): MachineTree | null {
  if (typeof machine !== 'string') return describedTree(machine);
  return catalog.machines.find(({ spec }) => spec.id === machine)?.tree ?? null;
}

/** Name of the machine of a scenario. */
export function machineOf({ machine }: Scenario, catalog: Catalog): string {
  if (typeof machine !== 'string') return machine.name;
  return catalog.machines.find(({ spec }) => spec.id === machine)?.spec.name ?? machine;
}

/** Names of the schedulers of a scenario, each once. */
export function schedulersOf({ schedulers }: Scenario, catalog: Catalog): string {
  const names = schedulers.map(({ id }) => catalog.schedulers.find((s) => s.id === id)?.name ?? id);
  return [...new Set(names)].join(', ');
}
