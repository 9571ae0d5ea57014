/** What a scenario says at a time: its groups and tunables after the edits up to then. */
import type { Edit } from '../sim/types/Edit';
import type { ParamValue } from '../sim/types/ParamValue';
import type { Scenario } from '../sim/types/Scenario';

/** Present values of a group; null where its threads differ. */
export interface EffectiveGroup {
  readonly count: number;
  readonly nice: number | null;
  readonly bytes: number | null;
  /** CPUs that its threads may use; null: all, or not the same for all of them. */
  readonly allowed: readonly number[] | null;
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
    case 'pin':
      return which === 'none' ? g : { ...g, allowed: which === 'all' ? edit.cpus : null };
    case 'unpin':
      return which === 'none' ? g : { ...g, allowed: null };
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

function editsUntil(scenario: Scenario, nowNs: number) {
  return (scenario.edits ?? []).filter((e) => e.atNs <= nowNs).sort((a, b) => a.atNs - b.atNs);
}

/** The tunables of a lane at `nowNs`, as far as they were set. */
export function effectiveTunables(
  scenario: Scenario,
  lane: number,
  nowNs: number,
): Readonly<Record<string, ParamValue>> {
  const values: Record<string, ParamValue> = { ...scenario.schedulers[lane]?.tunables };
  for (const { edit } of editsUntil(scenario, nowNs))
    if (edit.kind === 'setTunable' && (edit.lane ?? lane) === lane) values[edit.id] = edit.value;
  return values;
}

/** The groups at `nowNs`. `defaultBytes` is what a behaviour sweeps when the group does not say. */
export function effectiveGroups(
  scenario: Scenario,
  nowNs: number,
  defaultBytes: (behaviour: string) => number | null,
): readonly EffectiveGroup[] {
  const edits = editsUntil(scenario, nowNs);
  return scenario.groups.map((g) =>
    edits.reduce<EffectiveGroup>((state, timed) => apply(state, timed.edit, g.name), {
      count: g.count,
      nice: g.nice ?? 0,
      bytes: g.workingSetBytes ?? defaultBytes(g.behaviour.kind),
      allowed: g.allowed ?? null,
    }),
  );
}
