/**
 * A scenario of unknown origin that the core refuses: each field that is wrong goes back to its
 * default, and a sentence says which and why. What cannot be mended so is given up.
 */
import { getAt, type Path, setAt } from '../lib/paths';
import type { Problem } from '../sim/protocol';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { Scenario } from '../sim/types/Scenario';
import { pathOf, placeOf } from './locate';
import { hasUnseen, withoutUnseen } from './unseen';

/** A mended scenario, and what was done to it. */
export interface Repaired {
  readonly scenario: Draft;
  /** Sentences without the place where the scenario came from. */
  readonly notes: readonly string[];
}

/** Fields that must be there, by the last name of their path. */
const REQUIRED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['version', 1],
  ['name', 'Scenario'],
  ['count', 1],
]);

type Draft = Record<string, unknown>;
type Container = Draft | unknown[];

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/**
 * One round: null if none of the problems can be mended. What is wrong goes back to `base` where that has it, the numbers
 * of a machine to those of `machine`, which is the base's.
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
    const notes = unseen.map(({ parts, message }) => `${pathOf(parts)}: ${message}. ${what}`);
    return { scenario: withoutUnseen(draft), notes };
  }
  // A sum over a list is often wrong because of one of its numbers: single fields come first.
  const deep = found.filter(({ parts }) => parts.length > 1);
  const notes: string[] = [];
  const done = new Set<string>();
  // From the end, so that taking an edit out of the list moves none that is still to be looked at.
  for (const { parts, message } of [...(deep.length > 0 ? deep : found)].reverse()) {
    const [at, what] = mend(draft, parts, base, machine, done);
    if (what === null) continue;
    done.add(at);
    notes.unshift(`${pathOf(parts)}: ${message}. ${what}`);
  }
  return notes.length > 0 ? { scenario: draft, notes } : null;
}

/** What was replaced, and a sentence that says by what; null if it cannot be, or was before. */
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
  // What is measured, and of whom, go together.
  if (top === 'answer') return [top, mendField(draft, [top])];
  // Half a machine or half a scheduler is none: the whole of it goes.
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

/** A number of a machine that stands alone; in a list it says nothing without its neighbours. */
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
