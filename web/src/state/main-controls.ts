/** Which sliders stand at the question: those that the scenario names, else the three that a lecture turns most. */
import type { Control } from '../sim/types/Control';
import type { Scenario } from '../sim/types/Scenario';

const COMMON: readonly Control[] = [
  { kind: 'processes' },
  { kind: 'workingSet' },
  { kind: 'nice' },
];

/** The sliders of a scenario; without threads that sweep memory there is no working set to move. */
export function mainControls(scenario: Scenario, sweeps: boolean): readonly Control[] {
  const own = scenario.controls;
  const all = own.length > 0 ? own : COMMON;
  return all.filter(({ kind }) => kind !== 'workingSet' || sweeps);
}

/** The common sliders that the scenario does not name: they stand in the setup. */
export function otherControls(scenario: Scenario, sweeps: boolean): readonly Control[] {
  const main = mainControls(scenario, sweeps);
  const first = scenario.groups[0]?.name;
  // Processes are those of the first group, where none is named.
  const isAll = ({ kind, group }: Control) =>
    group === undefined || (kind === 'processes' && group === first);
  const isThere = ({ kind }: Control) => main.some((c) => c.kind === kind && isAll(c));
  return COMMON.filter((c) => !isThere(c));
}
