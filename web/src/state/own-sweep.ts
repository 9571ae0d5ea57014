/** A sweep of one's own: what of a scenario can be varied, and the runs that this makes. Pure functions. */
import { withFittingGuide } from '../sim/guide';
import type { Chart, Estimate, Series } from '../sim/sweep/claims';
import type { Seen } from '../sim/sweep/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { Item } from './batch.svelte';

/** Something that can be varied. */
export interface Axis {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** What it is now. */
  readonly now: number;
  readonly isLog: boolean;
  /** Puts a value into a scenario of one lane, if it has such a thing. */
  put(scenario: Scenario, value: number): void;
}

/** Something that can be measured. */
export interface Measured {
  /** Column of the core's probe. */
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly definition: string;
  /** What the core's value is divided by. */
  readonly by: number;
}

function eraOf(catalog: Catalog, lane: SchedulerChoice) {
  const eras = catalog.schedulers.find((s) => s.id === lane.id)?.eras ?? [];
  return eras.find((e) => e.id === lane.era) ?? eras[0];
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
      isLog: kind.log,
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
      isLog: boolean,
      field: 'count' | 'nice' | 'workingSetBytes',
    ) => ({
      id: `${id}.${String(i)}`,
      label: `${group.name}: ${label}`,
      now,
      isLog,
      put: inGroup((of, value) => {
        of[field] = value;
      }),
    });
    return [
      { ...own('count', 'threads', group.count, false, 'count'), ...range('groups.count', 1, 64) },
      { ...own('nice', 'nice', group.nice, false, 'nice'), ...range('groups.nice', -20, 19) },
      ...(behaviour?.usesWorkingSet
        ? [
            {
              ...own(
                'ws',
                'working set, bytes',
                group.workingSetBytes ?? 16_384,
                true,
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

/** Everything that the core's probe `measures` gives. */
export function measuredBy(catalog: Catalog): Measured[] {
  const time = (id: string, label: string, definition: string): Measured => ({
    id,
    label,
    unit: 's',
    definition,
    by: 1e9,
  });
  return [
    time('elapsedNs', 'elapsed time', 'Simulated time of the run.'),
    time('cpuPerThreadNs', 'CPU time per thread', 'Mean over the threads of the workload.'),
    time('firstExitNs', 'first exit', 'When the first thread ended, if all did.'),
    time('lastExitNs', 'last exit', 'When the last thread ended, if all did.'),
    ...catalog.metrics.map((m) => ({
      id: m.id,
      label: m.name,
      unit: m.unit === 'ns' ? 'ms' : m.unit === 'perSecond' ? '/s' : '',
      definition: m.summary,
      by: m.unit === 'ns' ? 1e6 : 1,
    })),
  ];
}

/** Whole numbers from one end to the other, evenly or by equal factors, each once. */
export function valuesBetween(from: number, to: number, n: number, isLog: boolean): number[] {
  const at = (i: number) => i / Math.max(1, n - 1);
  const isByFactor = isLog && from > 0 && to > 0;
  const value = (part: number) =>
    isByFactor ? from * (to / from) ** part : from + (to - from) * part;
  return [...new Set(Array.from({ length: n }, (_, i) => Math.round(value(at(i)))))];
}

/** How a lane is called, if need be with its place. */
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

/** A run of a sweep: where it belongs. */
export interface OwnItem extends Item {
  /** Place of its scheduler among the lanes. */
  readonly lane: number;
  readonly x: number;
}

/** The runs of a sweep: each value, each lane, each seed. */
export function itemsOf(
  scenario: Scenario,
  axis: Axis,
  values: readonly number[],
  seeds: number,
): OwnItem[] {
  const items: OwnItem[] = [];
  // The largest values take longest: they come first, so that the end is not a wait for one of them.
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
          scenario: JSON.stringify(withFittingGuide(made, one)),
          base: null,
          probe: 'measures',
          at: [],
        });
      }
    });
  }
  return items;
}

/** A run of a sweep with what it gave. */
export interface OwnSample extends Seen {
  readonly item: OwnItem;
}

/** What was swept: the chart is about that, not about what is chosen for the next time. */
export interface Swept {
  readonly label: string;
  readonly isLog: boolean;
  readonly lanes: readonly string[];
}

/** What a sweep gave, as a chart of one of the measures. `estimate` is the judge's. */
export function chartOf(
  { label, isLog, lanes }: Swept,
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
      const values = of.map((s) => (s.values[s.columns.indexOf(measure.id)] ?? NaN) / measure.by);
      const known = values.filter(Number.isFinite);
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
  return {
    kind: 'curves',
    id: measure.id,
    title: `${measure.label} by ${label}`,
    definition: measure.definition,
    x: { label, unit: '', log: isLog },
    y: { label: measure.label, unit: measure.unit, log: false },
    series,
  };
}
