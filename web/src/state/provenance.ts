/** How well a number of a machine is known, and its source. Pure functions. */
import { getAt, type Path } from '../lib/paths';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { Mark } from '../sim/types/Mark';
import type { Provenance } from '../sim/types/Provenance';
import { pathText } from './machine/machine-edit';

/** What is known about a number. */
export interface Known {
  readonly mark: Mark;
  readonly source: string;
}

/** Sources of the numbers of the presets, by id; `scenarios/sources.json`. */
export type Sources = Readonly<Record<string, readonly Provenance[]>>;

/**
 * How well a field of an entry fits a path: its length if it is a prefix that ends at the end of a name, else 0. `[]`
 * stands for any index. The core's test of the presets has the same rule.
 */
export function fit(field: string, path: string): number {
  const pattern = field
    .split('[]')
    .map((part) => part.replaceAll(/[.[\]]/g, String.raw`\$&`))
    .join(String.raw`\[\d+\]`);
  return field !== '' && new RegExp(`^${pattern}(?![^.[])`).test(path) ? field.length : 0;
}

/** What the most specific entry says about a path. */
function entryOf(entries: readonly Provenance[], path: string): Known | null {
  let best: Known | null = null;
  let length = 0;
  for (const entry of entries) {
    const fits = Math.max(0, ...entry.fields.map((field) => fit(field, path)));
    if (fits > length) [best, length] = [entry, fits];
  }
  return best;
}

/** Id of the preset that an edited machine was made from. */
function baseOf({ provenance }: MachineSpec): string | null {
  const [, id] = /made by hand from the preset (\S+)$/.exec(provenance[0]?.source ?? '') ?? [];
  return id ?? null;
}

/** What is known about a number of a machine; null if no entry covers it. */
export function knownOf(
  spec: MachineSpec,
  path: Path,
  presets: readonly MachineSpec[],
  sources: Sources,
): Known | null {
  const text = pathText(path).replace(/^machine\./, '');
  const preset = presets.find((p) => p.id === (sources[spec.id] ? spec.id : baseOf(spec)));
  if (!preset) return entryOf(spec.provenance, text);
  const [mine, its] = [getAt(spec, path), getAt(preset, path)];
  if (mine !== its)
    return { mark: 'assumed', source: `Set by hand. ${preset.name} has ${String(its)}.` };
  return entryOf(sources[preset.id] ?? [], text);
}
