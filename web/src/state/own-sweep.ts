/** The reader's own sweep: what can be varied in a scenario, and the runs that follow. Pure functions. */
import { withFittingGuide } from '../sim/guide';
import type { Chart, Estimate, Series } from '../sim/sweep/claims';
import type { Seen } from '../sim/sweep/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { Item } from './batch.svelte';
import type { Ranged, Roundness } from './round-values';
import { type Measured, nameOf } from './sweep-measures';

/** Something that can be varied. */
export interface Axis extends Ranged {
  readonly id: string;
  readonly label: string;
  /** Heading of its column in a file of rows. */
  readonly heading: string;
  /** Puts a value into a scenario of one lane, if the scenario has that property. */
  put(scenario: Scenario, value: number): void;
}

function eraOf(catalog: Catalog, lane: SchedulerChoice) {
  const eras = catalog.schedulers.find((s) => s.id === lane.id)?.eras ?? [];
  return eras.find((e) => e.id === lane.era) ?? eras[0];
}

const BINARY_UNITS = ['B', 'bytes', 'KiB', 'MiB'];

function roundnessOf(unit: string, isLog: boolean): Roundness {
  return BINARY_UNITS.includes(unit) ? 'powers' : isLog ? 'factors' : 'steps';
}

function ofParam(
  spec: ParamSpec,
  id: string,
  now: unknown,
  rest: Pick<Axis, 'put'> & { of: string },
): Axis[] {
  const { kind } = spec;
  if (kind.type !== 'int') return [];
  const unit = spec.unit === '' ? '' : `, ${spec.unit}`;
  return [
    {
      id,
      label: `${rest.of}: ${spec.label}${unit}`,
      min: kind.min,
      max: kind.max,
      now: typeof now === 'number' ? now : kind.default,
      roundness: roundnessOf(spec.unit, kind.log),
      heading: spec.id,
      put: rest.put,
    },
  ];
}

/** Everything that can be varied in a scenario. */
export function axesOf(scenario: Scenario, catalog: Catalog): Axis[] {
  const bound = (field: string) => catalog.bounds.find((b) => b.field === field);
  const range = (field: string, min: number, max: number) => ({
    min: bound(field)?.min ?? min,
    max: bound(field)?.max ?? max,
  });
  const groups = scenario.groups.flatMap((group, i): Axis[] => {
    const inGroup = (change: (of: ThreadGroup, value: number) => void): Axis['put'] => {
      return ({ groups: all }, value) => {
        const of = all[i];
        if (of) change(of, value);
      };
    };
    const behaviour = catalog.behaviours.find((b) => b.id === group.behaviour.kind);
    const params = (behaviour?.params ?? [])
      .filter((p) => p.id !== 'workingSetBytes')
      .flatMap((spec) =>
        ofParam(spec, `param.${String(i)}.${spec.id}`, group.behaviour.params[spec.id], {
          of: group.name,
          put: inGroup((of, value) => {
            of.behaviour.params[spec.id] = value;
          }),
        }),
      );
    const own = (
      id: string,
      label: string,
      now: number,
      roundness: Roundness,
      field: 'count' | 'nice' | 'workingSetBytes',
    ) => ({
      id: `${id}.${String(i)}`,
      label: `${group.name}: ${label}`,
      heading: field,
      now,
      roundness,
      put: inGroup((of, value) => {
        of[field] = value;
      }),
    });
    const counts = range('groups.count', 1, 64);
    return [
      {
        ...own('count', 'threads', group.count, 'steps', 'count'),
        // Without threads there would be nothing to measure.
        ...{ min: Math.max(1, counts.min), max: counts.max },
      },
      { ...own('nice', 'nice', group.nice, 'steps', 'nice'), ...range('groups.nice', -20, 19) },
      ...(behaviour?.usesWorkingSet
        ? [
            {
              ...own(
                'ws',
                'working set, bytes',
                group.workingSetBytes ?? 16_384,
                'powers',
                'workingSetBytes',
              ),
              ...range('groups.workingSetBytes', 0, 2 ** 30),
            },
          ]
        : []),
      ...params,
    ];
  });
  const tunables = new Map<string, Axis>();
  for (const lane of scenario.schedulers) {
    const name = catalog.schedulers.find((s) => s.id === lane.id)?.name ?? lane.id;
    for (const spec of eraOf(catalog, lane)?.tunables ?? []) {
      const [axis] = ofParam(spec, `tunable.${lane.id}.${spec.id}`, lane.tunables[spec.id], {
        of: name,
        put: ({ schedulers: [of] }, value) => {
          if (of?.id === lane.id && eraOf(catalog, of)?.tunables.some((t) => t.id === spec.id))
            of.tunables[spec.id] = value;
        },
      });
      if (axis && !tunables.has(axis.id)) tunables.set(axis.id, axis);
    }
  }
  return [...groups, ...tunables.values()];
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
        const made = structuredClone(one);
        axis.put(made, x);
        items.push({
          key: `${String(lane)}/${String(x)}/${String(seed)}`,
          lane,
          x,
          seed,
          scenario: JSON.stringify(withFittingGuide(made, one)),
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
