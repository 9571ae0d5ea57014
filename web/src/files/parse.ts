/**
 * Text of unknown origin → something that may be handed to the core as a scenario. Only the outline
 * is checked here, so that the page never trips over it; the core refuses everything else, by field.
 */
import type { Scenario } from '../sim/types/Scenario';

const KEYS = [
  'version',
  'name',
  'notes',
  'try',
  'seed',
  'machine',
  'schedulers',
  'groups',
  'background',
  'timing',
  'edits',
  'end',
] as const;

/** How deep lists and objects may lie in each other: a scenario has eleven levels, and a stack ends. */
export const MAX_DEPTH = 100;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areRecords(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isRecord);
}

/** Keys on the outermost level that no scenario has. */
export function unknownKeys(value: unknown): readonly string[] {
  const known: readonly string[] = KEYS;
  return isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
}

/** The scenario, or an error whose message begins with a verb. */
export function parseScenario(text: string): Scenario {
  return scenarioOf(JSON.parse(text));
}

/** The same of a text that has been read. */
export function scenarioOf(value: unknown): Scenario {
  if (!isRecord(value)) throw new Error('must be a scenario');
  clean(value, MAX_DEPTH);
  const copy: Record<string, unknown> = {};
  for (const key of KEYS) if (value[key] !== undefined) copy[key] = value[key];
  const { groups, schedulers, end, edits, machine, name, background } = copy;
  if (typeof name !== 'string') throw new Error('must have a name');
  if (typeof machine !== 'string' && !isRecord(machine)) throw new Error('must name a machine');
  if (!areRecords(schedulers)) throw new Error('must name one to four schedulers');
  if (!areRecords(groups)) throw new Error('must have a list of thread groups');
  if (!groups.every((g) => isRecord(g['behaviour']) && typeof g['name'] === 'string'))
    throw new Error('must name each group and its behaviour');
  if (!isRecord(end) || typeof end['atNs'] !== 'number') throw new Error('must say when it ends');
  if (edits !== undefined && !(areRecords(edits) && edits.every(isTimed)))
    throw new Error('must have a list of timed edits');
  if (background !== undefined && !isRecord(background))
    throw new Error('must describe its background');
  return copy as unknown as Scenario;
}

/** `__proto__` as an own key must not survive, whatever happens to the object later. */
function clean(value: object, depth: number): void {
  if (depth === 0) throw new Error(`must not be deeper than ${String(MAX_DEPTH)} levels`);
  Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null) clean(inner, depth - 1);
}

function isTimed(edit: Record<string, unknown>): boolean {
  return isRecord(edit['edit']) && typeof edit['atNs'] === 'number';
}
