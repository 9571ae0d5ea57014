/** The names of lanes: the scheduler's name and, where several lanes have the same scheduler, what tells them apart. */
import { choiceBefore, OWN } from '../sim/policy/own';
import type { Catalog } from '../sim/types/Catalog';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { ParamValue } from '../sim/types/ParamValue';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';

/** The words for a lane. */
export interface LaneName {
  /** The scheduler's name, and what differs where others have the same one: `EEVDF 6.6`, `BFS, hz 100`, `2 BFS`. */
  readonly name: string;
  /** More tunables by which it differs from others of the same scheduler and era, then the era; empty for most baselines. */
  readonly era: string;
}

/** Most tunables in words: with more they would be too long. */
const MOST = 2;

/** A tunable and its value in a few words: `hz 1000`, `autogroup off` for `sched_autogroup_enabled`. */
function inWords({ label: whole, unit }: ParamSpec, value: ParamValue | undefined): string {
  const label = whole.replace(/^(kern\.)?sched[._]/, '').replace(/_(enabled|ns|us|ms)$/, '');
  const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value ?? '');
  // `hz 100` needs no unit.
  const hasUnit = typeof value === 'number' && unit.toLowerCase() !== label.toLowerCase();
  return [label, text, hasUnit ? unit : ''].filter(Boolean).join(' ');
}

/** The words for each lane of a scenario. */
export function laneNames(
  choices: readonly SchedulerChoice[],
  { schedulers }: Pick<Catalog, 'schedulers'>,
): readonly LaneName[] {
  const all = choices.map((choice) => {
    const entry = schedulers.find((s) => s.id === choice.id);
    // A program of its user stands in place of an era.
    if (choice.program !== undefined) return { choice, entry, era: undefined };
    return { choice, entry, era: entry?.eras.find((e) => e.id === choice.era) ?? entry?.eras[0] };
  });
  const parts = all.map(({ choice, entry, era }) => {
    const title = entry?.name ?? choice.id;
    const same = all.filter((other) => other.choice.id === choice.id);
    const twins = same.filter((other) => other.era === era);
    const apart = (era?.tunables ?? []).flatMap((spec) => {
      const values = twins.map((t) => t.choice.tunables[spec.id] ?? spec.kind.default);
      const own = choice.tunables[spec.id] ?? spec.kind.default;
      return values.some((value) => value !== own) ? [inWords(spec, own)] : [];
    });
    // Baselines have no history: their variants differ in tunables, not in eras. Those of own policies are programs.
    const hasEras = entry?.family !== 'baseline' || choice.id === OWN;
    const history = era && hasEras ? [era.name] : [];
    if (same.length === 1) return { title, name: title, apart, history };
    const [first = '', ...others] = apart;
    const hasEra = twins.length < same.length && era !== undefined;
    const own = hasEra ? `${title} ${era.id}` : title;
    return { title, name: first === '' ? own : `${own}, ${first}`, apart: others, history };
  });
  const called = parts.map(({ name }) => name);
  return parts.map(({ title, name, apart, history }, i) => ({
    name: called.filter((other) => other === name).length > 1 ? `${String(i + 1)} ${title}` : name,
    era: [...apart.slice(0, MOST), ...history].join(' · '),
  }));
}

/** The words for each lane at a time: another program may have taken over in it. */
export function laneNamesAt(
  scenario: Pick<Scenario, 'schedulers' | 'edits'>,
  catalog: Pick<Catalog, 'schedulers'>,
  ns: number,
): readonly LaneName[] {
  const choices = scenario.schedulers.map((own, i) => choiceBefore(scenario, i, ns + 1) ?? own);
  return laneNames(choices, catalog);
}
