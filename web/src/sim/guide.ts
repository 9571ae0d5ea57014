/** The guide of a scenario: the question, the measure of the answer, the opening, the controls in sight. */
import { sameJson } from '../lib/json';
import type { Control } from './types/Control';
import type { Scenario } from './types/Scenario';

/** Fields that the question depends on: a change of one makes another run. */
const RUN = [
  'machine',
  'schedulers',
  'groups',
  'background',
  'timing',
  'edits',
] as const satisfies readonly (keyof Scenario)[];

/** Parts that hold only for one run. */
const ABOUT_RUN = ['ask', 'answer', 'opening'] as const satisfies readonly (keyof Scenario)[];

/** Parts that disappear, or may disappear, with a change of lanes, machine or threads. */
export const GUIDE = [...ABOUT_RUN, 'controls'] as const;

/** Whether two scenarios have the same lanes, machine and threads. */
export function isSameRun(a: Scenario, b: Scenario): boolean {
  return RUN.every((part) => a[part] === b[part] || sameJson(a[part], b[part]));
}

/** Whether a scenario has a guide that its origin does not have. */
export function hasOwnGuide(scenario: Scenario, origin: Scenario): boolean {
  return ABOUT_RUN.some(
    (part) => Boolean(scenario[part]) && !sameJson(scenario[part], origin[part]),
  );
}

/**
 * A scenario with the guide of its origin, as long as lanes, machine and threads are the origin's; else without
 * question, answer and opening. A guide of its own stays.
 */
export function withGuideOf(scenario: Scenario, origin: Scenario): Scenario {
  if (hasOwnGuide(scenario, origin)) return scenario;
  if (!isSameRun(scenario, origin)) return withoutWords(scenario);
  if (GUIDE.every((part) => sameJson(scenario[part], origin[part]))) return scenario;
  const { ask, answer, opening, controls } = origin;
  return { ...scenario, ask, controls, ...(answer && { answer }), ...(opening && { opening }) };
}

function withoutWords(scenario: Scenario): Scenario {
  const rest = { ...scenario, ask: '' };
  delete rest.answer;
  delete rest.opening;
  return rest;
}

/**
 * A scenario that was changed from another, without the parts of its guide that may be wrong now. Another run has no
 * question, answer and opening, and no control of a group or tunable that may be gone.
 */
export function withFittingGuide(changed: Scenario, was: Scenario): Scenario {
  if (isSameRun(changed, was)) return changed;
  const controls = changed.controls.filter((control) => fits(control, changed, was));
  return { ...withoutWords(changed), controls };
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
