/** Which sliders stand at the question: those that the scenario names, else the three that a lecture turns most. */
import type { Scenario } from '../sim/types/Scenario';

/** What a slider changes. */
export interface MainControl {
  readonly kind: 'processes' | 'workingSet' | 'nice' | 'tunable' | 'start';
  /** Name of the group; of all groups (of the first, for processes) where it is left out. */
  readonly group?: string;
  /** Tunable and lane of a `tunable`. */
  readonly id?: string;
  readonly lane?: number;
}

const COMMON: readonly MainControl[] = [
  { kind: 'processes' },
  { kind: 'workingSet' },
  { kind: 'nice' },
];

/** The sliders of a scenario; without threads that sweep memory there is no working set to move. */
export function mainControls(scenario: Scenario, sweeps: boolean): readonly MainControl[] {
  const own = scenario.controls ?? [];
  const all = own.length > 0 ? own : COMMON;
  return all.filter(({ kind }) => kind !== 'workingSet' || sweeps);
}

/** The common sliders that the scenario does not name: they stand in the setup. */
export function otherControls(scenario: Scenario, sweeps: boolean): readonly MainControl[] {
  const main = mainControls(scenario, sweeps);
  const isThere = ({ kind }: MainControl) => main.some((c) => c.kind === kind && c.group === undefined);
  return COMMON.filter((c) => !isThere(c));
}
