/** The names of lanes: the scheduler's name and, where several lanes have the same scheduler, what tells them apart. */
import type { Catalog } from '../sim/types/Catalog';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { ParamValue } from '../sim/types/ParamValue';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';

/** The words for a lane. */
export interface LaneName {
  /** The scheduler's name, with the era or a number where others have the same scheduler: `EEVDF 6.6`, `2 BFS`. */
  readonly name: string;
  /** Tunables by which it differs from others of the same scheduler and era, then the era; empty for most baselines. */
  readonly era: string;
}

/** Most tunables in a name: with more it would be too long. */
const MOST = 2;

/** A tunable and its value in a few words: `hz 1000`, `autogroup off`. */
function inWords({ label, unit }: ParamSpec, value: ParamValue | undefined): string {
  const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value ?? '');
  return [label, text, typeof value === 'number' ? unit : ''].filter(Boolean).join(' ');
}

/** The words for each lane of a scenario. */
export function laneNames(
  choices: readonly SchedulerChoice[],
  { schedulers }: Pick<Catalog, 'schedulers'>,
): readonly LaneName[] {
  const all = choices.map((choice) => {
    const entry = schedulers.find((s) => s.id === choice.id);
    return { choice, entry, era: entry?.eras.find((e) => e.id === choice.era) ?? entry?.eras[0] };
  });
  return all.map(({ choice, entry, era }, i) => {
    const title = entry?.name ?? choice.id;
    const same = all.filter((other) => other.choice.id === choice.id);
    const isOwnEra = new Set(same.map((other) => other.era)).size === same.length;
    const twins = same.filter((other) => other.era === era);
    const apart = (era?.tunables ?? []).flatMap((spec) => {
      const values = twins.map((t) => t.choice.tunables[spec.id] ?? spec.kind.default);
      const own = choice.tunables[spec.id] ?? spec.kind.default;
      return values.some((value) => value !== own) ? [inWords(spec, own)] : [];
    });
    // Baselines have no history: their variants differ in tunables, not in eras.
    const history = era && entry?.family !== 'baseline' ? [era.name] : [];
    let name = title;
    if (same.length > 1)
      name = isOwnEra && era ? `${title} ${era.id}` : `${String(i + 1)} ${title}`;
    return { name, era: [...apart.slice(0, MOST), ...history].join(' · ') };
  });
}
