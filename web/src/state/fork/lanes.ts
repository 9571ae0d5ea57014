/** Two futures of one lane: the scenario with the lane twice, and edits that concern one of them. */
import { ALL, editOf, laneOf, settingOf } from '../../sim/property/edit';
import type { Control } from '../../sim/types/Control';
import type { Scenario } from '../../sim/types/Scenario';
import type { TimedEdit } from '../../sim/types/TimedEdit';

/** Most lanes that a scenario may have. */
export const MAX_LANES = 4;

/** An edit with its lanes renumbered; null if it was for a lane that is gone. */
function moved(timed: TimedEdit, to: (lane: number) => number | null): TimedEdit | null {
  const lane = timed.lane === undefined ? undefined : to(timed.lane);
  if (lane === null) return null;
  const next = lane === undefined ? timed : { ...timed, lane };
  const { what = '', which, field = '', value } = settingOf(timed) ?? {};
  if (what !== 'lanes' || which === ALL) return next;
  const tuned = to(Number(which) - 1);
  return tuned === null ? null : { ...next, ...editOf([what, String(tuned + 1), field], value) };
}

/** The controls with their lanes renumbered, without those of a lane that is gone. */
function controlsOf(scenario: Scenario, to: (lane: number) => number | null): Control[] {
  return scenario.controls.flatMap((control) => {
    if (control.lane === undefined) return [control];
    const lane = to(control.lane);
    return lane === null ? [] : [{ ...control, lane }];
  });
}

/** The scenario with a lane twice: the copy stands right after the lane and has the same edits. */
export function forked(scenario: Scenario, lane: number): Scenario {
  const choice = scenario.schedulers[lane];
  if (!choice) return scenario;
  const schedulers = [...scenario.schedulers];
  schedulers.splice(lane + 1, 0, choice);
  const behind = (l: number) => (l > lane ? l + 1 : l);
  const edits = scenario.edits.flatMap((timed) => {
    const first = moved(timed, behind);
    const second = moved(timed, (l) => (l === lane ? lane + 1 : null));
    return [first, laneOf(timed) === lane ? second : null].filter((e) => e !== null);
  });
  return { ...scenario, schedulers, edits, controls: controlsOf(scenario, behind) };
}

/** The scenario without a lane, and without the edits of it alone. */
export function withoutLane(scenario: Scenario, lane: number): Scenario {
  const schedulers = scenario.schedulers.filter((_, i) => i !== lane);
  const closed = (l: number) => (l === lane ? null : l > lane ? l - 1 : l);
  const edits = scenario.edits.flatMap((timed) => {
    const kept = moved(timed, closed);
    return kept ? [kept] : [];
  });
  return { ...scenario, schedulers, edits, controls: controlsOf(scenario, closed) };
}
