/** Chooses the sliders beside the question: those that the scenario names, else the three that lectures use most. */
import type { Control } from '../sim/types/Control';
import type { Scenario } from '../sim/types/Scenario';

const COMMON: readonly Control[] = [
  { kind: 'processes' },
  { kind: 'workingSet' },
  { kind: 'nice' },
];

/** The sliders of a scenario; the working set is left out if no thread sweeps memory. */
export function mainControls(scenario: Scenario, sweeps: boolean): readonly Control[] {
  const own = scenario.controls;
  const all = own.length > 0 ? own : COMMON;
  return all.filter(({ kind }) => kind !== 'workingSet' || sweeps);
}

/** The limit and the period of each control group. */
const limitControls = ({ cgroups }: Scenario): readonly Control[] =>
  Object.keys(cgroups ?? {}).flatMap((group) => [
    { kind: 'limit', group },
    { kind: 'period', group },
  ]);

/** The common sliders that the scenario does not name, and those of control groups; they are in Setup. */
export function otherControls(scenario: Scenario, sweeps: boolean): readonly Control[] {
  const main = mainControls(scenario, sweeps);
  const first = scenario.groups[0]?.name;
  // A control of processes without a group is about the first group.
  const isAll = ({ kind, group }: Control) =>
    group === undefined || (kind === 'processes' && group === first);
  const isThere = ({ kind }: Control) => main.some((c) => c.kind === kind && isAll(c));
  const isNamed = ({ kind, group }: Control) =>
    main.some((c) => c.kind === kind && c.group === group);
  return [
    ...COMMON.filter((c) => !isThere(c)),
    ...limitControls(scenario).filter((c) => !isNamed(c)),
  ];
}
