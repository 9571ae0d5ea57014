/** The CPUs that control groups with a limit used, beside their limits. */
import type { LimitNow } from '../../sim/types/LimitNow';
import { begun, type Since } from './shares';
import type { MeasuredLane } from './measures';

/** The bar of a control group. Amounts in CPUs. */
export interface LimitBar {
  readonly name: string;
  /** CPUs in use, on average since the start or the last change. */
  readonly used: number;
  /** CPUs that it may use. */
  readonly limit: number;
  /** CPUs at the end of the bar: one, or more where the limit is larger. */
  readonly most: number;
}

interface LimitedLane extends Pick<MeasuredLane, 'calm' | 'names'> {
  readonly calmLimits: readonly LimitNow[];
  readonly since?: Since | null;
}

/** Bars of all control groups that have a limit; none at the beginning of the span. */
export function limitBars(lane: LimitedLane): readonly LimitBar[] {
  const { calm, calmLimits, names, since } = lane;
  const span = calm.nowNs - (since?.atNs ?? 0);
  if (calmLimits.length === 0 || span <= 0) return [];
  const runNs = calm.task('runNs');
  const ran = (task: number) => (runNs[task] ?? 0) - (since?.totals.get(task)?.runNs ?? 0);
  return calmLimits.map(({ name, groups, quotaNs, periodNs }) => {
    const inside = begun(lane).filter((task) => groups.includes(names.taskGroup[task] ?? -1));
    const limit = quotaNs / periodNs;
    return {
      name,
      used: inside.reduce((sum, task) => sum + ran(task), 0) / span,
      limit,
      most: Math.max(1, Math.ceil(limit)),
    };
  });
}
