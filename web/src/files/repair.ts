/**
 * Repairs a scenario of unknown origin that the core refuses: each wrong field gets its default, and a sentence says
 * which and why. A scenario that this does not repair is given up.
 */
import { coreMessage } from '../lib/core-message';
import { getAt, type Path, setAt } from '../lib/paths';
import type { Problem } from '../sim/protocol';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { Scenario } from '../sim/types/Scenario';
import { pathOf, placeOf } from './locate';
import { hasUnseen, withoutUnseen } from './unseen';

/** A repaired scenario, and what was changed in it. */
export interface Repaired {
  readonly scenario: Draft;
  /** Sentences without the place where the scenario came from. */
  readonly notes: readonly string[];
}

/** Fields that must be there, by the last name of their path. */
const REQUIRED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['version', 2],
  ['name', 'Scenario'],
  ['count', 1],
]);

type Draft = Record<string, unknown>;
type Container = Draft | unknown[];

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/**
 * One round; null if no problem can be repaired. A wrong field gets the value of `base` where that has the field; a
 * number of a machine gets that of `machine`, which is the base's.
 */
export function repair(
  scenario: unknown,
  problems: readonly Problem[],
  base: Scenario,
  machine: MachineSpec | null,
): Repaired | null {
  const draft = structuredClone(scenario) as Draft;
  const text = JSON.stringify(scenario);
  const found = problems.flatMap((problem) => {
    const outermost = /^missing field `(\w+)`/.exec(problem.message)?.slice(1) ?? [];
    const [parts = []] = [placeOf(problem, text), outermost].filter((p) => p.length > 0);
    return parts.length > 0 ? [{ parts, message: problem.message }] : [];
  });
  const unseen = found.filter(({ parts }) => hasUnseen(scenario, parts));
  if (unseen.length > 0) {
    const what = 'These characters are replaced.';
    const notes = unseen.map(
      ({ parts, message }) => `${pathOf(parts)}: ${coreMessage(message)}. ${what}`,
    );
    return { scenario: withoutUnseen(draft), notes };
  }
  // A wrong sum over a list is often due to one of its numbers, so single fields are repaired first.
  const deep = found.filter(({ parts }) => parts.length > 1);
  const notes: string[] = [];
  const done = new Set<string>();
  // From the end, so that removing an edit does not move others that are still to be repaired.
  for (const { parts, message } of [...(deep.length > 0 ? deep : found)].reverse()) {
    const [at, what] = mend(draft, parts, base, machine, done);
    if (what === null) continue;
    done.add(at);
    notes.unshift(`${pathOf(parts)}: ${coreMessage(message)}. ${what}`);
  }
  return notes.length > 0 ? { scenario: draft, notes } : null;
}

/** Where a repair was made, and a sentence that describes it; null if there is none to make, or if it was made before. */
function mend(
  draft: Draft,
  parts: Path,
  base: Scenario,
  machine: MachineSpec | null,
  done: ReadonlySet<string>,
): [string, string | null] {
  const [top, second] = parts;
  if (top === 'machine') {
    const what = done.has(top) ? null : mendNumber(draft, parts.slice(1), machine);
    if (what !== null) return [pathOf(parts), what];
  }
  const isTunable = top === 'schedulers' && parts[2] === 'tunables' && parts.length > 3;
  if ((top === 'edits' || top === 'controls') && typeof second === 'number') {
    const at = pathOf(parts.slice(0, 2));
    const list = draft[top];
    if (done.has(at) || !Array.isArray(list) || second >= list.length) return [at, null];
    list.splice(second, 1);
    return [at, `This ${top === 'edits' ? 'edit' : 'control'} is left out.`];
  }
  // The measure and its subject belong together.
  if (top === 'answer') return [top, mendField(draft, [top])];
  // Half a machine or half a scheduler is of no use, so all of it is replaced.
  if (top === 'machine' || top === 'end' || (top === 'schedulers' && !isTunable))
    return [top, reset(draft, base, top, done)];
  if (top === 'groups' && parts.length <= 2) return [top, reset(draft, base, top, done)];
  return [pathOf(parts), mendField(draft, parts)];
}

function reset(
  draft: Draft,
  base: Scenario,
  key: 'machine' | 'end' | 'schedulers' | 'groups',
  done: ReadonlySet<string>,
): string | null {
  if (done.has(key)) return null;
  Object.assign(draft, { [key]: structuredClone(base[key]) });
  return 'The default is used.';
}

/** A number of a machine outside of lists; in a list it would make no sense without its neighbours. */
function mendNumber(draft: Draft, path: Path, machine: MachineSpec | null): string | null {
  const was = getAt(draft['machine'], path);
  const now = getAt(machine, path);
  const isAlone = path.length > 0 && path.every((key) => typeof key === 'string');
  if (!isAlone || typeof was !== 'number' || typeof now !== 'number' || was === now) return null;
  draft['machine'] = setAt(draft['machine'], path, now);
  return `${String(now)} is used.`;
}

function mendField(draft: Draft, parts: Path): string | null {
  const last = parts[parts.length - 1];
  let at: unknown = draft;
  for (const part of parts.slice(0, -1)) {
    if (!isContainer(at) || !Object.hasOwn(at, part)) return null;
    at = (at as Record<string | number, unknown>)[part];
  }
  if (!isContainer(at) || last === undefined) return null;
  if (!Object.hasOwn(at, last) && !REQUIRED.has(String(last))) return null;
  if (Array.isArray(at)) {
    at.splice(Number(last), 1);
    return 'It is left out.';
  }
  const key = String(last);
  if (REQUIRED.has(key)) {
    at[key] = REQUIRED.get(key);
    return `${String(REQUIRED.get(key))} is used.`;
  }
  Reflect.deleteProperty(at, key);
  return 'The default is used.';
}
