/** The reader's own sweep: what can be varied in a scenario, and the runs that follow. Pure functions. */
import { getAt } from '../../lib/paths';
import { GUIDE, withFittingGuide } from '../../sim/guide';
import { pathOf } from '../../sim/property/path';
import { specOf, tunablesOf, withValue } from '../../sim/property/set';
import type { Chart, Estimate, Series } from '../../sim/sweep/claims';
import type { Seen } from '../../sim/sweep/protocol';
import type { Catalog } from '../../sim/types/Catalog';
import type { ParamSpec } from '../../sim/types/ParamSpec';
import type { Scenario } from '../../sim/types/Scenario';
import type { Item } from './batch.svelte';
import type { Ranged, Roundness } from '../round-values';
import { type Measured, nameOf } from './sweep-measures';

/** A property that can be varied. */
export interface Axis extends Ranged {
  /** Its path. A lane is named by its scheduler. */
  readonly id: string;
  readonly label: string;
  /** Heading of its column in a file of rows. */
  readonly heading: string;
  /** A scenario of one lane with a value, if it has that property. */
  with(scenario: Scenario, value: number): Scenario;
}

const BINARY_UNITS = ['B', 'bytes', 'KiB', 'MiB'];

function roundnessOf(unit: string, isLog: boolean): Roundness {
  return BINARY_UNITS.includes(unit) ? 'powers' : isLog ? 'factors' : 'steps';
}

/** What the sweep varies by itself, and what does not change a run. */
const NO_AXES: ReadonlySet<string> = new Set(['seed', ...GUIDE]);

/** The steps of a path without its last, in a scenario: names and numbers in place of stars. */
function placesOf(words: readonly string[], scenario: Scenario): readonly string[][] {
  const names = {
    groups: scenario.groups.map(({ name }) => name),
    lanes: [...new Set(scenario.schedulers.map(({ id }) => id))],
    edits: scenario.edits.map((_, i) => String(i + 1)),
  }[words[0] ?? ''];
  if (words[1] !== '*') return [[...words]];
  return (names ?? []).map((name) => words.map((word, i) => (i === 1 ? name : word)));
}

/** The value in a place; undefined where there is none. */
function valueAt(scenario: Scenario, [what = '', which = '', ...rest]: readonly string[]): unknown {
  if (what === 'groups')
    return getAt(
      scenario.groups.find(({ name }) => name === which),
      rest,
    );
  if (what === 'edits') return getAt(scenario.edits[Number(which) - 1], rest);
  return getAt(
    scenario,
    [what, which, ...rest].filter((step) => step !== ''),
  );
}

/** The declared numbers of a place, with their present values. */
function declaredAt(
  [what = '', which = '']: readonly string[],
  scenario: Scenario,
  catalog: Catalog,
): readonly (readonly [ParamSpec, unknown])[] {
  const lane = scenario.schedulers.find(({ id }) => id === which);
  if (what === 'lanes' && lane)
    return tunablesOf(lane, catalog).map((spec) => [spec, lane.tunables[spec.id]]);
  const { kind, params } = scenario.groups.find(({ name }) => name === which)?.behaviour ?? {};
  const specs = catalog.behaviours.find(({ id }) => id === kind)?.params ?? [];
  return specs
    .filter(({ id }) => id !== 'workingSetBytes')
    .map((spec) => [spec, params?.[spec.id]]);
}

/** Everything that can be varied in a scenario: each property with a range, where the scenario has it. */
export function axesOf(scenario: Scenario, catalog: Catalog): Axis[] {
  const axis = (
    steps: readonly string[],
    { label, unit, ...ranged }: Ranged & { label: string; unit: string },
  ): Axis => {
    const [what = '', which = ''] = steps;
    const name = catalog.schedulers.find(({ id }) => id === which)?.name ?? which;
    const of = what === 'groups' || what === 'lanes' ? `${name}: ` : '';
    return {
      ...ranged,
      id: pathOf(steps),
      label: `${of}${label}${unit === '' || unit === label ? '' : `, ${unit}`}`,
      heading: steps.at(-1) ?? '',
      with: (one, value) =>
        what !== 'lanes' || specOf(steps, one, catalog)
          ? withValue(one, steps, value, catalog)
          : one,
    };
  };
  const all = catalog.properties.flatMap(({ path, kind, when, label }): Axis[] => {
    const words = path.split('.');
    if (when === 'run' || NO_AXES.has(words[0] ?? '')) return [];
    const places = placesOf(words, scenario);
    if (kind.type === 'declared')
      return places.flatMap((steps) =>
        declaredAt(steps, scenario, catalog).flatMap(([spec, now]) =>
          spec.kind.type === 'int'
            ? axis([...steps.slice(0, -1), spec.id], {
                label: spec.label,
                unit: spec.unit,
                min: spec.kind.min,
                max: spec.kind.max,
                now: typeof now === 'number' ? now : spec.kind.default,
                roundness: roundnessOf(spec.unit, spec.kind.log),
              })
            : [],
        ),
      );
    if (kind.type !== 'integer' && kind.type !== 'time' && kind.type !== 'size') return [];
    const { min, max, unit } = kind.bound;
    return places.flatMap((steps) => {
      const now = valueAt(scenario, steps) ?? unsaid(steps, scenario, catalog);
      if (typeof now !== 'number') return [];
      // Without threads there would be nothing to measure.
      const least = steps.at(-1) === 'count' ? Math.max(1, min) : min;
      const isLog = kind.type === 'time' || (min === 0 && max > 10_000);
      return axis(steps, {
        label,
        unit,
        min: least,
        max,
        now,
        roundness: roundnessOf(unit, isLog),
      });
    });
  });
  // What people vary first comes first.
  const placeOf = ({ id }: Axis) =>
    id.startsWith('groups.') ? 0 : id.startsWith('lanes.') ? 1 : 2;
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

/** What holds where a scenario says nothing. */
function unsaid(
  [what, which, field]: readonly string[],
  { groups }: Scenario,
  catalog: Catalog,
): number | undefined {
  if (what === 'groups' && field === 'sliceNs') return 0;
  const kind = groups.find(({ name }) => name === which)?.behaviour.kind;
  const sweeps = catalog.behaviours.find(({ id }) => id === kind)?.usesWorkingSet;
  return what === 'groups' && field === 'workingSetBytes' && sweeps === true ? 16_384 : undefined;
}

/** The names of the lanes, with a number where that is needed. */
export function laneNames(scenario: Scenario, catalog: Catalog): string[] {
  const names = scenario.schedulers.map((lane) => {
    const entry = catalog.schedulers.find((s) => s.id === lane.id);
    return lane.era === undefined
      ? (entry?.name ?? lane.id)
      : `${entry?.name ?? lane.id} ${lane.era}`;
  });
  return names.map((name, i) =>
    names.filter((other) => other === name).length > 1 ? `${name} (${String(i + 1)})` : name,
  );
}

/** A run of a sweep, with its value, lane and seed. */
export interface OwnItem extends Item {
  /** Place of its scheduler among the lanes. */
  readonly lane: number;
  readonly x: number;
  readonly seed: number;
}

/** The runs of a sweep: one for each value, lane and seed. */
export function itemsOf(
  scenario: Scenario,
  axis: Axis,
  values: readonly number[],
  seeds: number,
  measure?: string,
): OwnItem[] {
  const items: OwnItem[] = [];
  // Runs with the largest values take longest. They come first, so that the sweep does not end with one of them.
  for (const x of [...values].reverse()) {
    scenario.schedulers.forEach((choice, lane) => {
      for (let seed = 1; seed <= seeds; seed++) {
        const one = withFittingGuide({ ...scenario, schedulers: [choice], seed }, scenario);
        items.push({
          key: `${String(lane)}/${String(x)}/${String(seed)}`,
          lane,
          x,
          seed,
          scenario: JSON.stringify(withFittingGuide(axis.with(one, x), one)),
          base: null,
          probe: 'sweep',
          at: [],
          measure,
        });
      }
    });
  }
  return items;
}

/** A run of a sweep with its result. */
export interface OwnSample extends Seen {
  readonly item: OwnItem;
}

/** The sweep that was run: the chart shows it, not the choices for the next one. */
export interface Swept {
  readonly axis: Pick<Axis, 'label' | 'heading'>;
  readonly isLog: boolean;
  readonly lanes: readonly string[];
  /** The measures that the runs contain. */
  readonly measures: readonly Measured[];
}

/** The results of a sweep as a chart of one measure. `estimate` is the judge's. */
export function chartOf(
  { axis: { label }, isLog, lanes }: Pick<Swept, 'axis' | 'isLog' | 'lanes'>,
  measure: Measured,
  samples: readonly OwnSample[],
  estimate: (values: readonly number[]) => Estimate,
): Chart {
  const series = lanes.map((name, lane): Series => {
    const places = new Map<number, OwnSample[]>();
    for (const sample of samples) {
      const { item } = sample;
      if (item.lane === lane) places.set(item.x, [...(places.get(item.x) ?? []), sample]);
    }
    const points = [...places].flatMap(([x, of]) => {
      const known = of.map((s) => measure.read(s) / measure.by).filter(Number.isFinite);
      if (known.length === 0) return [];
      return [{ x, estimate: estimate(known), keys: of.map((s) => s.item.key) }];
    });
    points.sort((a, b) => a.x - b.x);
    const unit = measure.unit;
    return {
      id: String(lane),
      label: name,
      scheduler: name,
      unit,
      points,
      published: [],
      provenance: '',
    };
  });
  const named = nameOf(measure);
  return {
    kind: 'curves',
    id: measure.id,
    title: `${named} by ${label}`,
    definition: measure.definition,
    x: { label, unit: '', log: isLog },
    y: { label: named, unit: measure.unit, log: false },
    series,
  };
}
