/**
 * Text of unknown origin → something that may be handed to the core as a scenario. The page reads none of it: it reads
 * what the core makes of it, with every default filled in, and the core refuses what is wrong, by field.
 */

const KEYS = [
  'version',
  'name',
  'notes',
  'ask',
  // What `ask` replaced; the core drops it.
  'try',
  'seed',
  'machine',
  'schedulers',
  'groups',
  'background',
  'timing',
  'edits',
  'end',
  'opening',
  'answer',
  'controls',
  'moments',
  'thumb',
] as const;

/** How deep lists and objects may lie in each other: a scenario has eleven levels, and a stack ends. */
export const MAX_DEPTH = 100;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys on the outermost level that no scenario has. */
export function unknownKeys(value: unknown): readonly string[] {
  const known: readonly string[] = KEYS;
  return isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
}

/** The known keys of a text, or an error whose message begins with a verb. */
export function parseScenario(text: string): Readonly<Record<string, unknown>> {
  return scenarioOf(JSON.parse(text));
}

/** The same of a text that has been read. */
export function scenarioOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Error('must be a scenario');
  clean(value, MAX_DEPTH);
  const copy: Record<string, unknown> = {};
  for (const key of KEYS) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}

/** `__proto__` as an own key must not survive, whatever happens to the object later. */
function clean(value: object, depth: number): void {
  if (depth === 0) throw new Error(`must not be deeper than ${String(MAX_DEPTH)} levels`);
  Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null) clean(inner, depth - 1);
}
