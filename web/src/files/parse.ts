/**
 * Text of unknown origin → a value that may be given to the core as a scenario. The page reads none of it. It reads
 * the core's answer, with every default filled in; the core refuses wrong fields by name.
 */
import { Refused } from '../lib/refused';
import type { Scenario } from '../sim/types/Scenario';

/** Every key of a scenario: the compiler refuses a list that lacks one, for links and files would lose it. */
const KEYS = Object.keys({
  version: true,
  name: true,
  notes: true,
  ask: true,
  // The older name of `ask`; the core drops it.
  try: true,
  seed: true,
  machine: true,
  schedulers: true,
  cgroups: true,
  groups: true,
  background: true,
  timing: true,
  edits: true,
  end: true,
  opening: true,
  answer: true,
  controls: true,
  moments: true,
  thumb: true,
} satisfies Record<keyof Scenario | 'try', true>);

/** How deep lists and objects may be nested. A scenario has eleven levels; without a limit the stack could overflow. */
export const MAX_DEPTH = 100;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys on the outermost level that scenarios do not have. */
export function unknownKeys(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value).filter((key) => !KEYS.includes(key)) : [];
}

/** The known keys of a text, or an error whose message begins with a verb. */
export function parseScenario(text: string): Readonly<Record<string, unknown>> {
  return scenarioOf(JSON.parse(text));
}

/** The same for a text that was parsed already. */
export function scenarioOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Refused('must be a scenario');
  clean(value, MAX_DEPTH);
  const copy: Record<string, unknown> = {};
  for (const key of KEYS) if (value[key] !== undefined) copy[key] = value[key];
  return copy;
}

/** `__proto__` as an own key must not survive, whatever happens to the object later. */
function clean(value: object, depth: number): void {
  if (depth === 0) throw new Refused(`must not be deeper than ${String(MAX_DEPTH)} levels`);
  Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null) clean(inner, depth - 1);
}
