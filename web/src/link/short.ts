/** A scenario in as few characters as possible: without values that the core fills in. Loaded when a link needs it. */
import { sameJson } from '../lib/json';
import { DEFAULTS } from '../sim/types/defaults';
import type { Scenario } from '../sim/types/Scenario';
import { pack } from './packing';

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
  return short(scenario, 'Scenario');
}

/** The scenario as a part of a link. */
export function packShort(scenario: Scenario): Promise<string> {
  return pack(JSON.stringify(shortened(scenario)));
}
