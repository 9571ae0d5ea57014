/**
 * Every change that a control can make, as data, and its effect: on the scenario (from the start), or as edits of the
 * present run.
 */
import { withFittingGuide } from '../sim/guide';
import type { LiveEdit } from '../sim/protocol';
import type { Edit } from '../sim/types/Edit';
import type { MachineRef } from '../sim/types/MachineRef';
import type { ParamValue } from '../sim/types/ParamValue';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { TimedEdit } from '../sim/types/TimedEdit';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import { withoutLane } from './fork';

/**
 * A change by a control. `group: null` means every group. The core fills in the fields that a new group, scheduler or
 * background leaves out.
 */
export type Change =
  | { kind: 'count'; group: number; count: number }
  | { kind: 'nice'; group: number | null; nice: number }
  /** `sliceNs: 0` takes the group's own slice away. */
  | { kind: 'slice'; group: number; sliceNs: number }
  | { kind: 'workingSet'; group: number | null; bytes: number }
  /** `cpus: null` means every CPU. */
  | { kind: 'pin'; group: number; cpus: readonly number[] | null }
  /** Of one thread, by its name. */
  | { kind: 'threadNice'; thread: string; nice: number }
  | { kind: 'threadSlice'; thread: string; sliceNs: number }
  | { kind: 'threadPin'; thread: string; cpus: readonly number[] | null }
  | { kind: 'threadPause'; thread: string; paused: boolean }
  | { kind: 'threadCopy'; thread: string }
  | { kind: 'addGroup'; group: unknown }
  | { kind: 'removeGroup'; group: number }
  | { kind: 'editGroup'; group: number; to: unknown }
  | { kind: 'machine'; machine: MachineRef }
  | { kind: 'seed'; seed: number }
  /** Undefined: none. */
  | { kind: 'background'; background: unknown }
  | { kind: 'addLane'; scheduler: unknown }
  | { kind: 'removeLane'; lane: number }
  | { kind: 'setLane'; lane: number; scheduler: unknown }
  | {
      kind: 'tunable';
      lane: number;
      id: string;
      value: ParamValue;
      isDefault: boolean;
      isLive: boolean;
    }
  | { kind: 'end'; atNs: number };

/** Their kinds, all of them. */
const KINDS: Readonly<Record<Change['kind'], true>> = {
  count: true,
  nice: true,
  slice: true,
  workingSet: true,
  pin: true,
  threadNice: true,
  threadSlice: true,
  threadPin: true,
  threadPause: true,
  threadCopy: true,
  addGroup: true,
  removeGroup: true,
  editGroup: true,
  machine: true,
  seed: true,
  background: true,
  addLane: true,
  removeLane: true,
  setLane: true,
  tunable: true,
  end: true,
};

/** Whether a value is a change, as this version of the page knows them. The core checks what it changes to. */
export function isChange(value: unknown): value is Change {
  const { kind } = { kind: null, ...(value as object | null) };
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind);
}

/** Changes with the same key replace each other while they wait. */
export function keyOf(change: Change): string {
  switch (change.kind) {
    case 'count':
    case 'nice':
    case 'slice':
    case 'workingSet':
    case 'pin':
    case 'editGroup':
      return `${change.kind}:${String(change.group)}`;
    case 'threadNice':
    case 'threadSlice':
    case 'threadPin':
    case 'threadPause':
    case 'threadCopy':
      return `${change.kind}:${change.thread}`;
    case 'tunable':
      return `tunable:${String(change.lane)}:${change.id}`;
    case 'setLane':
      return `setLane:${String(change.lane)}`;
    case 'addGroup':
    case 'removeGroup':
    case 'addLane':
    case 'removeLane':
      return `${change.kind}:${JSON.stringify(change)}`;
    default:
      return change.kind;
  }
}

/** The change as an edit of the present run; null when it only makes sense from the start. */
export function asEdit(scenario: Scenario, change: Change): LiveEdit | null {
  switch (change.kind) {
    case 'count':
      return { kind: 'setCount', group: change.group, count: change.count };
    case 'nice':
      return { kind: 'setNice', target: targetOf(scenario, change.group), nice: change.nice };
    case 'slice':
      return {
        kind: 'setSlice',
        target: targetOf(scenario, change.group),
        sliceNs: change.sliceNs,
      };
    case 'workingSet':
      return {
        kind: 'setWorkingSet',
        target: targetOf(scenario, change.group),
        bytes: change.bytes,
      };
    case 'pin': {
      const target = targetOf(scenario, change.group);
      return change.cpus === null
        ? { kind: 'unpin', target }
        : { kind: 'pin', target, cpus: [...change.cpus] };
    }
    case 'threadNice':
    case 'threadSlice':
    case 'threadPin':
    case 'threadPause':
    case 'threadCopy':
      return threadEdit(change);
    case 'tunable':
      if (!change.isLive) return null;
      return { kind: 'setTunable', lane: change.lane, id: change.id, value: change.value };
    default:
      return null;
  }
}

/** A change of one thread: scenarios describe groups, so it is always an edit. */
function threadEdit(change: Extract<Change, { thread: string }>): Edit {
  const { thread } = change;
  const target = { thread };
  switch (change.kind) {
    case 'threadNice':
      return { kind: 'setNice', target, nice: change.nice };
    case 'threadSlice':
      return { kind: 'setSlice', target, sliceNs: change.sliceNs };
    case 'threadPin':
      return change.cpus === null
        ? { kind: 'unpin', target }
        : { kind: 'pin', target, cpus: [...change.cpus] };
    case 'threadPause':
      return { kind: change.paused ? 'pause' : 'resume', target };
    case 'threadCopy':
      return { kind: 'copy', thread };
  }
}

/** Kinds of edits that set the same property of a thread: at one instant only the last of them counts. */
const SAME: readonly (readonly Edit['kind'][])[] = [
  ['setNice'],
  ['setSlice'],
  ['pin', 'unpin'],
  ['pause', 'resume'],
];

/** The edits with one more at time 0. The new edit comes last at that time and replaces edits of the same property. */
function withFirst(
  edits: readonly TimedEdit[],
  change: Extract<Change, { thread: string }>,
): readonly TimedEdit[] {
  const edit = threadEdit(change);
  const same = SAME.find((kinds) => kinds.includes(edit.kind)) ?? [];
  const isReplaced = ({ edit: old, lane }: TimedEdit) =>
    lane === undefined &&
    same.includes(old.kind) &&
    'target' in old &&
    old.target.thread === change.thread;
  const first = edits.filter((timed) => timed.atNs === 0 && !isReplaced(timed));
  const later = edits.filter((timed) => timed.atNs > 0);
  return [...first, { atNs: 0, edit }, ...later];
}

function targetOf(scenario: Scenario, group: number | null): { group?: string } {
  const name = group === null ? undefined : scenario.groups[group]?.name;
  return name === undefined ? {} : { group: name };
}

/**
 * The scenario with the change made from the start; the core fills in the fields that are left out. The guide no
 * longer names anything that the change may have removed.
 */
export function applyChange(s: Scenario, change: Change): unknown {
  // The guide is checked against groups and schedulers, which every scenario has.
  return withFittingGuide(changed(s, change) as Scenario, s);
}

function changed(s: Scenario, change: Change): unknown {
  switch (change.kind) {
    case 'count':
      return mapGroup(s, change.group, (g) => ({ ...g, count: change.count }));
    case 'nice':
      return mapGroup(s, change.group, (g) => ({ ...g, nice: change.nice }));
    case 'slice':
      return mapGroup(s, change.group, (g) => {
        const next: ThreadGroup = { ...g, sliceNs: change.sliceNs };
        if (change.sliceNs === 0) delete next.sliceNs;
        return next;
      });
    case 'workingSet':
      return mapGroup(s, change.group, (g) => ({ ...g, workingSetBytes: change.bytes }));
    case 'pin':
      return mapGroup(s, change.group, (g) => {
        const next: ThreadGroup = { ...g };
        if (change.cpus === null) delete next.allowed;
        else next.allowed = [...change.cpus];
        return next;
      });
    case 'threadNice':
    case 'threadSlice':
    case 'threadPin':
    case 'threadPause':
    case 'threadCopy':
      return { ...s, edits: withFirst(s.edits, change) };
    case 'addGroup':
      return { ...s, groups: [...s.groups, change.group] };
    case 'removeGroup':
      return { ...s, groups: s.groups.filter((_, i) => i !== change.group) };
    case 'editGroup':
      return mapGroup(s, change.group, () => change.to);
    case 'machine':
      return { ...s, machine: change.machine };
    case 'seed':
      return { ...s, seed: change.seed };
    case 'background':
      return { ...s, background: change.background };
    case 'addLane':
      return { ...s, schedulers: [...s.schedulers, change.scheduler] };
    case 'removeLane':
      return withoutLane(s, change.lane);
    case 'setLane':
      return {
        ...s,
        schedulers: s.schedulers.map((c, i) => (i === change.lane ? change.scheduler : c)),
      };
    case 'tunable':
      return {
        ...s,
        schedulers: s.schedulers.map((c, i) => (i === change.lane ? withTunable(c, change) : c)),
      };
    case 'end':
      return { ...s, end: { ...s.end, atNs: change.atNs } };
  }
}

function mapGroup(s: Scenario, group: number | null, to: (g: ThreadGroup) => unknown): unknown {
  return { ...s, groups: s.groups.map((g, i) => (group === null || i === group ? to(g) : g)) };
}

function withTunable(
  choice: SchedulerChoice,
  { id, value, isDefault }: { id: string; value: ParamValue; isDefault: boolean },
): SchedulerChoice {
  const tunables = { ...choice.tunables, [id]: value };
  const kept = Object.entries(tunables).filter(([key]) => key !== id || !isDefault);
  return { ...choice, tunables: Object.fromEntries(kept) };
}

/** A name that no group has yet. */
export function freeGroupName(scenario: Scenario, base: string): string {
  const taken = new Set(scenario.groups.map((g) => g.name));
  if (!taken.has(base)) return base;
  for (let i = 2; ; i++) if (!taken.has(`${base}${String(i)}`)) return `${base}${String(i)}`;
}
