/** What a scenario tells about its own run: the question, the answer's measure, where it opens, the controls in sight. */
import { sameJson } from '../lib/json';
import type { Control } from './types/Control';
import type { Scenario } from './types/Scenario';

/** What the question is about: who changes one of these has another run. */
const RUN = [
  'machine',
  'schedulers',
  'groups',
  'background',
  'timing',
  'edits',
] as const satisfies readonly (keyof Scenario)[];

/**
 * A scenario that was changed from another, without what need not be true of it: another run has no question, no answer and
 * no opening of its own, and no control of a group or tunable that may be gone.
 */
export function withFittingGuide(changed: Scenario, was: Scenario): Scenario {
  const isSameRun = RUN.every(
    (part) => changed[part] === was[part] || sameJson(changed[part], was[part]),
  );
  if (isSameRun) return changed;
  const controls = changed.controls.filter((control) => fits(control, changed, was));
  const rest = { ...changed, ask: '', controls };
  delete rest.answer;
  delete rest.opening;
  return rest;
}

function fits({ kind, group, lane }: Control, changed: Scenario, was: Scenario): boolean {
  if (kind !== 'tunable')
    return group === undefined || changed.groups.some(({ name }) => name === group);
  const at = (scenario: Scenario, i: number) => {
    const choice = scenario.schedulers[i];
    return choice && `${choice.id}:${choice.era ?? ''}`;
  };
  const lanes = lane === undefined ? [...was.schedulers.keys()] : [lane];
  return lanes.every((i) => at(changed, i) !== undefined && at(changed, i) === at(was, i));
}
