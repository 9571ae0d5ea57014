/** The scenario that shows a changed run beside the learner's own. */
import type { Future } from '../../sim/types/Future';
import type { Scenario } from '../../sim/types/Scenario';
import { forked, withoutLane } from '../fork/lanes';

/** Only one lane of a scenario. */
function onlyLane(scenario: Scenario, lane: number): Scenario {
  let left = scenario;
  for (let i = scenario.schedulers.length - 1; i >= 0; i--)
    if (i !== lane) left = withoutLane(left, i);
  return left;
}

/** The lane (0-based) of the learner's run that all changes concern; null where the whole run changes. */
export function changedLane([, first, ...more]: readonly Future[]): number | null {
  return first && more.every(({ of }) => of === first.of) ? first.of : null;
}

/** The learner's lane, followed by the changed copy that a future describes. */
export function besideOwn(own: Scenario, lane: number, future: Future): Scenario {
  const shown = forked(onlyLane(own, lane), 0);
  const copy = future.scenario.schedulers[future.lane ?? lane];
  const schedulers = shown.schedulers.map((choice, i) => (i === 1 && copy ? copy : choice));
  return { ...shown, schedulers };
}
