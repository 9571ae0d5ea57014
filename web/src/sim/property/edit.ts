/** Properties that are set during the run: the edits that do it, and back. */
import { sameJson } from '../../lib/json';
import type { Catalog } from '../types/Catalog';
import type { Edit } from '../types/Edit';
import type { Scenario } from '../types/Scenario';
import type { Target } from '../types/Target';
import type { TimedEdit } from '../types/TimedEdit';
import { NotSet } from './not-set';
import { rowOf } from './path';

const ALL = '*';

/** The edits that write a number, by property; the last is the field that has it. */
const WRITES = new Map([
  ['nice', ['setNice', 'nice']],
  ['sliceNs', ['setSlice', 'sliceNs']],
  ['workingSetBytes', ['setWorkingSet', 'bytes']],
] as const);

/** Threads of a group after the edits up to a time. */
function countAt({ groups, edits }: Scenario, name: string, atNs: number): number {
  // What a link wrote may lack anything.
  const made = edits.filter(({ edit }) => (edit as unknown) instanceof Object);
  const before = made.filter((e) => e.atNs <= atNs).sort((a, b) => a.atNs - b.atNs);
  return before.reduce(
    (now, { edit }) => {
      if (edit.kind === 'spawn' && edit.group === name) return now + edit.count;
      if (edit.kind !== 'kill' || (edit as Partial<typeof edit>).target?.group !== name) return now;
      return Math.max(0, now - (edit.count ?? now));
    },
    groups.find((group) => group.name === name)?.count ?? 0,
  );
}

/** The edit that sets a property of some threads, or null if it has the value already. */
function editOf(
  scenario: Scenario,
  [what = '', name = '', field]: readonly string[],
  value: unknown,
  atNs: number,
): Edit | null {
  const target: Target =
    name === ALL ? {} : what === 'threads' ? { thread: name } : { group: name };
  for (const [property, [kind, key]] of WRITES)
    if (property === field) return { kind, target, [key]: value ?? 0 } as unknown as Edit;
  if (field === 'allowed')
    return value === undefined
      ? { kind: 'unpin', target }
      : { kind: 'pin', target, cpus: value as number[] };
  if (field === 'paused') return { kind: value === true ? 'pause' : 'resume', target };
  if (field === 'count' && name !== ALL && typeof value === 'number') {
    const more = value - countAt(scenario, name, atNs);
    if (more === 0) return null;
    return more > 0
      ? { kind: 'spawn', group: name, count: more }
      : { kind: 'kill', target, count: -more };
  }
  if (field === undefined && value === undefined) return { kind: 'kill', target };
  throw new NotSet({ must: 'another value during the run' });
}

/** Adds the edit that sets a property at a time. */
export function edit(
  scenario: Scenario,
  steps: readonly string[],
  value: unknown,
  atNs: number,
): void {
  const [what, which, id = ''] = steps;
  const made: Edit | null =
    what === 'lanes'
      ? ({
          kind: 'setTunable',
          ...(which === ALL ? {} : { lane: Number(which) - 1 }),
          id,
          value,
        } as Edit)
      : editOf(scenario, steps, value, atNs);
  if (made) scenario.edits.push({ atNs, edit: made });
}

/** What an edit sets: the steps and the value; null if no property says it. */
function saysOf(edit: Edit, before: Scenario, atNs: number): readonly [string[], unknown] | null {
  if (edit.kind === 'setTunable')
    return [['lanes', edit.lane === undefined ? ALL : String(edit.lane + 1), edit.id], edit.value];
  if (edit.kind === 'copy' || (edit.kind === 'spawn' && edit.group === ALL)) return null;
  if (edit.kind === 'spawn')
    return [['groups', edit.group, 'count'], countAt(before, edit.group, atNs) + edit.count];
  const { thread, group = ALL } = edit.target;
  const target = thread === undefined ? ['groups', group] : ['threads', thread];
  switch (edit.kind) {
    case 'setNice':
      return [[...target, 'nice'], edit.nice];
    case 'setSlice':
      return [[...target, 'sliceNs'], edit.sliceNs];
    case 'setWorkingSet':
      return [[...target, 'workingSetBytes'], edit.bytes];
    case 'pin':
      return [[...target, 'allowed'], edit.cpus];
    case 'unpin':
      return [[...target, 'allowed'], undefined];
    case 'pause':
    case 'resume':
      return [[...target, 'paused'], edit.kind === 'pause'];
    case 'kill':
      if (thread !== undefined) return [target, undefined];
      if (group === ALL) return null;
      return [[...target, 'count'], countAt(before, group, atNs) - (edit.count ?? 0)];
  }
}

/** What an edit sets after those before it, as far as setting that makes the same edit again. */
export function setOf(
  timed: TimedEdit,
  before: Scenario,
  catalog: Catalog,
): { readonly steps: string[]; readonly value: unknown } | null {
  const [steps, value] = saysOf(timed.edit, before, timed.atNs) ?? [];
  if (!steps || !rowOf(steps, catalog)) return null;
  const again = { ...before, edits: [...before.edits] };
  edit(again, steps, value, timed.atNs);
  return sameJson(again.edits, [...before.edits, timed]) ? { steps, value } : null;
}
