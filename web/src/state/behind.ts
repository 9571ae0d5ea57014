/** The scenario that a point of a chart opens: its runs side by side. Pure functions. */
import { withFittingGuide } from '../sim/guide';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import type { Item } from './replications/batch.svelte';

/** Lanes that fit beside each other. */
const MOST_LANES = 4;

/** The scenario that a point opens. */
export interface Behind {
  readonly scenario: Scenario;
  /** Id of the shipped scenario that it varies; null for the scenario on the stage. */
  readonly base: string | null;
}

/**
 * Runs as one scenario with their schedulers side by side, on the machine and with the threads of the first run; null
 * if there are none. The guide of the shipped scenario stays as far as it fits.
 */
export function sideBySide(items: readonly Item[], catalog: Catalog): Behind | null {
  const first = items[0];
  if (!first) return null;
  const read = items.map((item) => JSON.parse(item.scenario) as Scenario);
  const lanes = read.flatMap((scenario) => scenario.schedulers);
  const different = new Map(lanes.map((lane) => [JSON.stringify(lane), lane]));
  const schedulers = [...different.values()].slice(0, MOST_LANES);
  const origin = catalog.scenarios.find((s) => s.id === first.base)?.scenario;
  // The judge's scenarios only say how they run. Guide and controls come from the shipped scenario, where they fit.
  const made = { ...origin, ...(read[0] as Scenario), schedulers };
  const scenario = origin ? withFittingGuide(made, origin) : made;
  return { scenario, base: first.base };
}
