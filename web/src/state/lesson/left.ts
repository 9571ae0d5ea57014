/**
 * Whether a run is still the lesson's: the learner may move its sliders, but not change its lanes, machine or kinds
 * of threads.
 */
import { sameJson } from '../../lib/json';
import { settingOf } from '../../sim/property/edit';
import type { Scenario } from '../../sim/types/Scenario';
import type { TimedEdit } from '../../sim/types/TimedEdit';

/** Fields of groups and lanes that sliders change. */
const SLIDERS = new Set([
  'count',
  'nice',
  'workingSetBytes',
  'tunables',
  'startNs',
  'startSpacingNs',
  'quotaUs',
  'periodUs',
]);

function fixed(part: object): unknown {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !SLIDERS.has(key)));
}

/** Whether sliders make such an edit, or it ends a thread. */
function isOfSlider(timed: TimedEdit): boolean {
  const { what, field } = settingOf(timed) ?? {};
  return what === 'lanes' || field === '' || (field !== undefined && SLIDERS.has(field));
}

/** The parts that sliders do not change. */
function whatStays({
  machine,
  schedulers,
  groups,
  background,
  timing,
  edits,
}: Scenario): readonly unknown[] {
  const others = edits.filter((timed) => !isOfSlider(timed));
  return [machine, schedulers.map(fixed), groups.map(fixed), background, timing, others];
}

/** Whether more was changed than the lesson's sliders can change. */
export function hasLeft(scenario: Scenario, own: Scenario): boolean {
  return scenario !== own && !sameJson(whatStays(scenario), whatStays(own));
}
