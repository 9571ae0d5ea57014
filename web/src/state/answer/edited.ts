/** What the last change of one thread did to its share of a CPU, before and after: beside the answer. */
import { nice, percent } from '../../lib/format';
import { sayEdit } from '../../files/say-edit';
import { settingOf, threadOf } from '../../sim/property/edit';
import type { TimedEdit } from '../../sim/types/TimedEdit';
import type { MeasuredLane } from './measures';
import { shareOf } from './shares';

/** The shares of a thread before the last change of a lane and since; null where one is not known. */
function beforeAndAfter(lane: MeasuredLane, thread: string): readonly [number, number] | null {
  const { calm, names, since } = lane;
  const task = names.tasks.indexOf(thread);
  const total = since?.totals.get(task);
  if (!since || !total) return null;
  const lived = ['runNs', 'waitNs', 'sleepNs'].reduce(
    (sum, column) => sum + (calm.task(column)[task] ?? 0),
    0,
  );
  // A thread that goes on began this long before now.
  const before = total.runNs / (lived - (calm.nowNs - since.atNs));
  const after = shareOf(lane, task);
  return Number.isFinite(before) && Number.isFinite(after) ? [before, after] : null;
}

/** The sentence, as in `job-1: 100 % → 27 % since nice +10`; empty if the last change is not about one thread. */
export function sayEdited(edits: readonly TimedEdit[], lanes: readonly MeasuredLane[]): string {
  const atNs = lanes[0]?.since?.atNs;
  const last = edits.findLast((edit) => edit.atNs === atNs);
  const thread = last?.set && threadOf(last);
  if (!last || thread === undefined) return '';
  const shares = lanes.flatMap((lane) => {
    const found = beforeAndAfter(lane, thread);
    return found ? [found.map(percent).join(' → ')] : [];
  });
  if (shares.length < lanes.length) return '';
  const { field, value } = settingOf(last) ?? {};
  const what = field === 'nice' ? `nice ${nice(Number(value))}` : sayEdit(last);
  return `${thread}: ${shares.join(' · ')} since ${what}.`;
}
