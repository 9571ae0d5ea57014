/** What Start shows of a scenario: its question, and how its small drawing begins and goes on. */
import { MS, SEC } from '../../lib/units';
import type { Catalog } from '../../sim/types/Catalog';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Scenario } from '../../sim/types/Scenario';
import type { ScenarioEntry } from '../../sim/types/ScenarioEntry';
import type { Plan } from '../../state/preview.svelte';

export type Thumb = 'machine' | 'timeline' | 'queue' | 'bars';

/** What the scenario says about how it is shown. */
interface Guide {
  readonly ask?: string;
  readonly thumb?: Thumb;
  readonly opening?: {
    readonly atNs?: number;
    readonly speed?: number;
    readonly windowNs?: number;
  };
}

const guideOf = (scenario: Scenario): Guide => scenario as Guide;

/** The question of a scenario; where it asks none, its name. */
export function questionOf(scenario: Scenario): string {
  const { ask } = guideOf(scenario);
  return ask === undefined || ask === '' ? scenario.name : ask;
}

/** What its drawing shows. */
export function thumbOf(scenario: Scenario): Thumb {
  return guideOf(scenario).thumb ?? 'machine';
}

/** When a drawing stands still, by what it shows: so late that there is something to see. */
const STANDS_AT: Readonly<Record<Thumb, number>> = {
  machine: 150 * MS,
  timeline: SEC,
  queue: 150 * MS,
  bars: 2 * SEC,
};
/** How fast it goes on. */
const SPEED: Readonly<Record<Thumb, number>> = {
  machine: 20 * MS,
  timeline: 100 * MS,
  queue: 20 * MS,
  bars: SEC,
};
/** How much time a timeline shows. */
const WINDOW_NS = 200 * MS;

/** How much time its timeline shows. */
export function windowOf(scenario: Scenario): number {
  return guideOf(scenario).opening?.windowNs ?? WINDOW_NS;
}

/** How its drawing begins and goes on: its first lane alone. */
export function planOf({ id, scenario }: ScenarioEntry): Plan {
  const thumb = thumbOf(scenario);
  const { atNs, speed } = guideOf(scenario).opening ?? {};
  return {
    id,
    scenario: { ...scenario, schedulers: scenario.schedulers.slice(0, 1) },
    at: atNs ?? STANDS_AT[thumb],
    speed: speed ?? SPEED[thumb],
  };
}

/** The same from the moment at which the page opens it. */
export function openingPlanOf(entry: ScenarioEntry): Plan {
  return { ...planOf(entry), at: 'opening' };
}

/** The machine of a shipped scenario; null for one that the catalog does not have. */
export function treeOf(scenario: Scenario, catalog: Catalog): MachineTree | null {
  return catalog.machines.find(({ spec }) => spec.id === scenario.machine)?.tree ?? null;
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
