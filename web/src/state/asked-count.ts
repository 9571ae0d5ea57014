/** How many threads of a group were there, where some have ended by themselves: a control says both numbers. */
import { TaskState } from '../sim/frame';
import { ALL, settingOf } from '../sim/property/edit';
import type { TimedEdit } from '../sim/types/TimedEdit';
import type { LaneState } from './lane.svelte';

/** Whether an edit starts or ends threads. */
function counts(edit: TimedEdit): boolean {
  const { field, what } = settingOf(edit) ?? {};
  return edit.copy !== undefined || field === 'count' || (what !== 'lanes' && field === '');
}

/**
 * All threads of a group, if some have ended and no edit started or ended any; else null: then as many are there as
 * somebody asked for.
 */
export function askedCount(
  { calm, names }: Pick<LaneState, 'calm' | 'names'>,
  group: number,
  edits: readonly TimedEdit[],
): number | null {
  const name = names.groups[group]?.name ?? '';
  const isAbout = (edit: TimedEdit) => {
    const { what, which } = settingOf(edit) ?? {};
    return what !== 'groups' || which === ALL || which === name;
  };
  if (edits.some((edit) => counts(edit) && isAbout(edit))) return null;
  const state = calm.task('state');
  const all = names.taskGroup.flatMap((of, task) =>
    of === group && task < calm.tasks ? [state[task]] : [],
  );
  return all.includes(TaskState.finished) ? all.length : null;
}
