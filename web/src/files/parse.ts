/**
 * Text of unknown origin → something that may be handed to the core as a scenario. The page reads none of it: it reads
 * what the core makes of it, with every default filled in, and the core refuses what is wrong, by field.
 */

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys on the outermost level that no scenario has. The text must be JSON. */
export function unknownKeys(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  const known: readonly string[] = KEYS;
  return isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
}

/** The known keys of it, or an error whose message begins with a verb. */
export function parseScenario(text: string): Readonly<Record<string, unknown>> {
  // `__proto__` as an own key must not survive, whatever happens to the object later.
  const value: unknown = JSON.parse(text, (key, v: unknown) =>
    key === '__proto__' ? undefined : v,
  );
  if (!isRecord(value)) throw new Error('must be a scenario');
  const copy: Record<string, unknown> = {};
  for (const key of KEYS) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}
