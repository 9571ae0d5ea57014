/**
 * Changes by controls, as data: a property and its new value, or one more thread like another. They take effect on the
 * scenario (from the start), or as edits of the present run.
 */
import { withFittingGuide } from '../../sim/guide';
import { ALL, type Edit, editOf, settingOf } from '../../sim/property/edit';
import { pathOf, rowOf, stepsOf } from '../../sim/property/path';
import { specOf, withValue } from '../../sim/property/set';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import type { TimedEdit } from '../../sim/types/TimedEdit';
import { withoutLane } from '../fork/lanes';

/** A change by a control. The core fills in the fields that a new group, scheduler or background leaves out. */
export type Change =
  /** A property by its path; without a value it is left out. */
  { readonly set: string; readonly to?: unknown } | { readonly copy: string };

/** The change that sets a property. */
export const toSet = (steps: readonly string[], to?: unknown): Change => ({
  set: pathOf(steps),
  to,
});

/** The change that sets a property of a group, by its position; of all groups without one. */
export function toSetGroup(
  { groups }: Scenario,
  group: number | null,
  field: string,
  to?: unknown,
): Change {
  const name = group === null ? undefined : groups[group]?.name;
  return toSet(['groups', name ?? ALL, field], to);
}

/** Whether a value is a change, as this version of the page knows them. The core checks what it changes to. */
export function isChange(value: unknown): value is Change {
  const { set, copy } = { set: null, copy: null, ...(value as object | null) };
  return typeof copy === 'string' || (typeof set === 'string' && stepsOf(set) !== null);
}

/** Changes with the same key replace each other while they wait. */
export function keyOf(change: Change): string {
  return 'copy' in change ? pathOf(['copy', change.copy]) : change.set;
}

/** The change as an edit of the present run; null when it only makes sense from the start. */
export function asEdit(scenario: Scenario, change: Change, catalog: Catalog): Edit | null {
  if ('copy' in change) return change;
  const steps = stepsOf(change.set) ?? [];
  const row = rowOf(steps, catalog);
  if (!row || row.when === 'start') return null;
  if (row.kind.type === 'declared' && specOf(steps, scenario, catalog)?.live !== true) return null;
  return editOf(steps, change.to);
}

/** The edits with one more at time 0. The new edit comes last at that time and replaces edits of the same property. */
function withFirst(edits: readonly TimedEdit[], edit: Edit): TimedEdit[] {
  const path = settingOf(edit)?.path;
  const isReplaced = (old: TimedEdit) =>
    old.lane === undefined && path !== undefined && settingOf(old)?.path === path;
  const first = edits.filter((timed) => timed.atNs === 0 && !isReplaced(timed));
  const later = edits.filter((timed) => timed.atNs > 0);
  return [...first, { atNs: 0, ...edit }, ...later];
}

/**
 * The scenario with the change made from the start; the core fills in the fields that are left out. The guide no
 * longer names anything that the change may have removed.
 */
export function applyChange(s: Scenario, change: Change, catalog: Catalog): Scenario {
  // The guide is checked against groups and schedulers, which every scenario has.
  return withFittingGuide(changed(s, change, catalog), s);
}

function changed(s: Scenario, change: Change, catalog: Catalog): Scenario {
  if ('copy' in change) return { ...s, edits: withFirst(s.edits, change) };
  const steps = stepsOf(change.set) ?? [];
  const [what, which = ''] = steps;
  // A scenario describes groups, so a change of one thread is an edit.
  if (rowOf(steps, catalog)?.when === 'run')
    return { ...s, edits: withFirst(s.edits, editOf(steps, change.to)) };
  if (what === 'lanes' && steps.length === 2 && change.to === undefined)
    return withoutLane(s, Number(which) - 1);
  const isDefault =
    change.to === specOf(steps, s, catalog)?.kind.default ||
    // No slice of its own.
    (change.to === 0 && steps.at(-1) === 'sliceNs');
  return withValue(withoutPrograms(s, steps), steps, isDefault ? undefined : change.to, catalog);
}

/** The scenario without the programs that edits give to a lane which gets another scheduler or program from the start. */
function withoutPrograms(s: Scenario, [what, which = '', field]: readonly string[]): Scenario {
  const isOther = field === undefined || field === 'id' || field === 'era' || field === 'program';
  if (what !== 'lanes' || !isOther) return s;
  const gone = pathOf(['lanes', which, 'program']);
  const edits = s.edits.filter((timed) => settingOf(timed)?.path !== gone);
  return edits.length < s.edits.length ? { ...s, edits } : s;
}

/** A name that no group has yet. */
export function freeGroupName(scenario: Scenario, base: string): string {
  const taken = new Set(scenario.groups.map((g) => g.name));
  if (!taken.has(base)) return base;
  for (let i = 2; ; i++) if (!taken.has(`${base}${String(i)}`)) return `${base}${String(i)}`;
}
