/** What a scenario says at a time: its groups after the edits up to then. */
import type { Edit } from '../sim/types/Edit';
import type { Scenario } from '../sim/types/Scenario';

/** Present values of a group; null where its threads differ. */
export interface EffectiveGroup {
  readonly count: number;
  readonly nice: number | null;
  readonly bytes: number | null;
}

function concerns(edit: Edit, group: string): 'all' | 'some' | 'none' {
  if (!('target' in edit)) return 'none';
  const { target } = edit;
  if (target.thread !== undefined) {
    const cut = target.thread.lastIndexOf('-');
    return target.thread.slice(0, cut) === group ? 'some' : 'none';
  }
  return target.group === undefined || target.group === group ? 'all' : 'none';
}

function apply(g: EffectiveGroup, edit: Edit, name: string): EffectiveGroup {
  const which = concerns(edit, name);
  switch (edit.kind) {
    case 'setNice':
      return which === 'none'
        ? g
        : { ...g, nice: which === 'all' || g.nice === edit.nice ? edit.nice : null };
    case 'setWorkingSet':
      return which === 'none'
        ? g
        : { ...g, bytes: which === 'all' || g.bytes === edit.bytes ? edit.bytes : null };
    case 'spawn':
      return edit.group === name ? { ...g, count: g.count + edit.count } : g;
    case 'kill': {
      if (which === 'none') return g;
      const gone = which === 'some' ? 1 : (edit.count ?? g.count);
      return { ...g, count: Math.max(0, g.count - gone) };
    }
    default:
      return g;
  }
}

/** The groups at `nowNs`. `defaultBytes` is what a behaviour sweeps when the group does not say. */
export function effectiveGroups(
  scenario: Scenario,
  nowNs: number,
  defaultBytes: (behaviour: string) => number | null,
): readonly EffectiveGroup[] {
  const edits = (scenario.edits ?? [])
    .filter((e) => e.atNs <= nowNs)
    .sort((a, b) => a.atNs - b.atNs);
  return scenario.groups.map((g) =>
    edits.reduce<EffectiveGroup>((state, timed) => apply(state, timed.edit, g.name), {
      count: g.count,
      nice: g.nice ?? 0,
      bytes: g.workingSetBytes ?? defaultBytes(g.behaviour.kind),
    }),
  );
}
