/** The meaning of colours: of threads if these have hues of their own, else of groups. */
import type { Theme } from '../../lib/color';
import { groupHue, hasOwnHues, taskHue, type ThreadHue } from '../../lib/thread-hues';
import type { LaneNames } from '../../sim/protocol';

/** A colour, and its thread or group. */
export interface LegendEntry {
  readonly name: string;
  readonly fill: string;
  readonly rim: string;
}

/** The meaning of a workload's colours. */
export function legendOf(names: LaneNames, theme: Theme): readonly LegendEntry[] {
  const entry = (name: string, { fill, rim }: ThreadHue): LegendEntry => ({
    name,
    fill: theme.of(fill),
    rim: theme.of(rim),
  });
  const isWorkload = (group: number): boolean => names.groups[group]?.background === false;
  if (hasOwnHues(names))
    return names.tasks.flatMap((name, task) =>
      isWorkload(names.taskGroup[task] ?? -1) ? [entry(name, taskHue(names, task))] : [],
    );
  return names.groups.flatMap(({ name, background }, group) =>
    background ? [] : [entry(name, groupHue(names, group))],
  );
}
