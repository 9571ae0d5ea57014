/** Two futures of one lane: the scenario with the lane twice, and edits that concern one of them. */
import type { Control } from '../sim/types/Control';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';

/** Most lanes that a scenario may have. */
export const MAX_LANES = 4;

/** An edit with its lanes renumbered; null if it was for a lane that is gone. */
function moved(timed: TimedEdit, to: (lane: number) => number | null): TimedEdit | null {
  const { edit, lane, ...rest } = timed;
  const own = lane === undefined ? undefined : to(lane);
  if (own === null) return null;
  let next = edit;
  if (edit.kind === 'setTunable' && edit.lane !== undefined && edit.lane !== null) {
    const tuned = to(edit.lane);
    if (tuned === null) return null;
    next = { ...edit, lane: tuned };
  }
  return own === undefined ? { ...rest, edit: next } : { ...rest, edit: next, lane: own };
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
    const isOfLane =
      timed.lane === lane || (timed.edit.kind === 'setTunable' && timed.edit.lane === lane);
    return [first, isOfLane ? second : null].filter((e) => e !== null);
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
