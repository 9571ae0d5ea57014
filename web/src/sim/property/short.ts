/** A scenario as a person would write it: without values that the core fills in. */
import { sameJson } from '../../lib/json';
import { DEFAULTS } from '../types/defaults';
import type { Scenario } from '../types/Scenario';

/** The type of a scenario; a name of the core, no word. */
// @wc-ignore
const SCENARIO = 'Scenario';

/** A value of a type of the core, or a list of them, without the values that the core fills in. */
function short(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return value.map((one) => short(one, type));
  if (typeof value !== 'object' || value === null) return value;
  const { defaults = {}, fields = {} } = DEFAULTS[type] ?? {};
  const own = new Map(Object.entries(defaults));
  const inner = new Map<string, string>(Object.entries(fields));
  const kept = Object.entries(value).filter(
    ([key, v]) => !(own.has(key) && sameJson(v, own.get(key))),
  );
  return Object.fromEntries(
    kept.map(([key, v]) => [key, inner.has(key) ? short(v, inner.get(key) ?? '') : v]),
  );
}

/** The scenario as a person would write it. */
export function shortened(scenario: Scenario): unknown {
  return short(scenario, SCENARIO);
}

/** What stands in a place of a scenario, shortened; the place is named by the fields that lead to it. */
export function shortenedAt(fields: readonly string[], value: unknown): unknown {
  let type = SCENARIO;
  for (const field of fields) {
    const inner = new Map<string, string>(Object.entries(DEFAULTS[type]?.fields ?? {}));
    type = inner.get(field) ?? '';
  }
  return short(value, type);
}
