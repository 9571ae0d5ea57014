/** The differences between a scenario and the one it was made from, in words. */
import { bytes, clock, count, duration, nice } from '../lib/format';
import { sameJson } from '../lib/json';
import type { MachineRef } from '../sim/types/MachineRef';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import { sayEdit } from './say-edit';
import { GUIDE, isSameRun } from '../sim/guide';

/** More edits are counted. */
const MOST_EDITS = 2;

/** How ids are called. */
export interface Names {
  machine(id: string): string;
  scheduler(id: string): string;
}

/** One phrase for each difference; empty only if there is none. */
export function differsFrom(scenario: Scenario, origin: Scenario, names: Names): readonly string[] {
  const phrases: string[] = [];
  const parts = new Set([...Object.keys(scenario), ...Object.keys(origin)]) as Set<keyof Scenario>;
  // The guide disappeared with another change, which is listed itself.
  if (!isSameRun(scenario, origin)) for (const part of GUIDE) parts.delete(part);
  for (const part of parts)
    if (scenario[part] !== origin[part] && !sameJson(scenario[part], origin[part]))
      phrases.push(...phrasesOf(part, scenario, origin, names));
  return phrases;
}

function phrasesOf(
  part: keyof Scenario,
  now: Scenario,
  was: Scenario,
  names: Names,
): readonly string[] {
  switch (part) {
    case 'name':
      return [`called “${now.name}”`];
    case 'machine':
      return [`machine ${machineName(now.machine, names)}`];
    case 'schedulers':
      return schedulers(now.schedulers, was.schedulers, names);
    case 'groups':
      return groups(now.groups, was.groups);
    case 'seed':
      return [`seed ${String(now.seed ?? 1)}`];
    case 'end':
      return [`ends at ${duration(now.end.atNs)}`];
    case 'edits': {
      const edits = now.edits ?? [];
      if (edits.length > 0 && edits.length <= MOST_EDITS)
        return edits.map(({ edit, atNs }) => `${sayEdit(edit)} at ${clock(atNs)}`);
      return [`${edits.length === 0 ? 'no' : count(edits.length)} edits`];
    }
    default:
      return [`other ${part === 'ask' ? 'question' : part}`];
  }
}

function machineName(machine: MachineRef, names: Names): string {
  return typeof machine === 'string' ? names.machine(machine) : machine.name;
}

function schedulers(
  now: readonly SchedulerChoice[],
  was: readonly SchedulerChoice[],
  names: Names,
): readonly string[] {
  const told = ({ id, era }: SchedulerChoice) =>
    [names.scheduler(id), era].filter(Boolean).join(' ');
  const lanes = now.map(told).join(', ');
  if (lanes !== was.map(told).join(', ')) return [lanes];
  return now.flatMap((choice, i) =>
    sameJson(choice, was[i]) ? [] : `tunables of ${told(choice)}`,
  );
}

function groups(now: readonly ThreadGroup[], was: readonly ThreadGroup[]): readonly string[] {
  const before = new Map(was.map((group) => [group.name, group]));
  const phrases = now.flatMap((group) => {
    const old = before.get(group.name);
    before.delete(group.name);
    if (!old) return [`${group.name} added`];
    return sameJson(group, old) ? [] : [groupChange(group, old)];
  });
  phrases.push(...[...before.keys()].map((name) => `without ${name}`));
  return phrases.length > 0 ? phrases : ['groups in another order'];
}

function groupChange(now: ThreadGroup, was: ThreadGroup): string {
  const facts: string[] = [];
  if (now.count !== was.count)
    facts.push(`${count(now.count)} threads instead of ${count(was.count)}`);
  if ((now.nice ?? 0) !== (was.nice ?? 0)) facts.push(`nice ${nice(now.nice ?? 0)}`);
  if (now.workingSetBytes !== undefined && now.workingSetBytes !== was.workingSetBytes)
    facts.push(`working set ${bytes(now.workingSetBytes)}`);
  if (!sameJson(now.behaviour, was.behaviour)) facts.push('another behaviour');
  return `${now.name}: ${facts.length > 0 ? facts.join(', ') : 'changed'}`;
}
