/** Slices that threads ask for, where a scheduler grants them. */
import type { LaneState } from './lane.svelte';

/** The slice of threads at the present moment. */
export interface SliceNow {
  /** In ns; null where it is not the same for all. */
  readonly sliceNs: number | null;
  /** Whether any of the threads has asked for it. */
  readonly isOwn: boolean;
}

/** The slice of these threads; null where the lane's scheduler has no slices per thread. */
export function sliceNow(
  lane: Pick<LaneState, 'entry' | 'calm'>,
  tasks: readonly number[],
): SliceNow | null {
  if (!lane.entry?.taskColumns.some((c) => c.id === 'customSlice')) return null;
  const [slice, custom] = [lane.calm.taskIfAny('sliceNs'), lane.calm.taskIfAny('customSlice')];
  const [first] = tasks;
  if (first === undefined || slice === null || custom === null) return null;
  const value = slice[first] ?? 0;
  return {
    sliceNs: tasks.every((t) => slice[t] === value) ? value : null,
    isOwn: tasks.some((t) => (custom[t] ?? 0) > 0),
  };
}

/**
 * The slice of a group's threads; null where no lane has slices per thread. Eras of one scheduler may differ: where one
 * grants what was asked for, its answer counts.
 */
export function sliceOfGroup(
  lanes: readonly Pick<LaneState, 'entry' | 'calm' | 'names'>[],
  group: number,
): SliceNow | null {
  const found = lanes.flatMap((lane) => {
    const own = lane.names.taskGroup.flatMap((g, task) =>
      g === group && task < lane.calm.tasks ? [task] : [],
    );
    return sliceNow(lane, own) ?? [];
  });
  return found.find((slice) => slice.isOwn) ?? found[0] ?? null;
}
