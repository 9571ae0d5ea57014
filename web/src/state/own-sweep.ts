/** A sweep of one's own: what of a scenario can be varied, and the runs that this makes. Pure functions. */
import { withFittingGuide } from '../sim/guide';
import { withValues } from '../sim/sweep/run';
import type { Catalog } from '../sim/types/Catalog';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { Item } from './batch.svelte';
import type { Ranged, Roundness } from './round-values';

/** Something that can be varied. */
export interface Axis extends Ranged {
  readonly id: string;
  readonly label: string;
  /** Heading of its column in a file of rows. */
  readonly heading: string;
  /** Where the value goes, for a lane; null where the lane has no such thing. */
  pointer(lane: SchedulerChoice): string | null;
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
  rest: Pick<Axis, 'pointer'> & { of: string },
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
      pointer: rest.pointer,
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
    const at = `/groups/${String(i)}`;
    const behaviour = catalog.behaviours.find((b) => b.id === group.behaviour.kind);
    const params = (behaviour?.params ?? [])
      .filter((p) => p.id !== 'workingSetBytes')
      .flatMap((spec) =>
        ofParam(spec, `param.${String(i)}.${spec.id}`, group.behaviour.params[spec.id], {
          of: group.name,
          pointer: () => `${at}/behaviour/params/${spec.id}`,
        }),
      );
    const own = (id: string, label: string, now: number, roundness: Roundness, place: string) => ({
      id: `${id}.${String(i)}`,
      label: `${group.name}: ${label}`,
      heading: place,
      now,
      roundness,
      pointer: () => `${at}/${place}`,
    });
    const counts = range('groups.count', 1, 64);
    return [
      {
        ...own('count', 'threads', group.count, 'steps', 'count'),
        // Without threads there is nothing to measure.
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
        pointer: (of) =>
          of.id === lane.id && eraOf(catalog, of)?.tunables.some((t) => t.id === spec.id)
            ? `/schedulers/0/tunables/${spec.id}`
            : null,
      });
      if (axis && !tunables.has(axis.id)) tunables.set(axis.id, axis);
    }
  }
  return [...groups, ...tunables.values()];
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

/** The runs of a sweep: each value, each lane, each seed. Their words are the lane, the value and the seed. */
export function itemsOf(
  scenario: Scenario,
  catalog: Catalog,
  axis: Axis,
  values: readonly number[],
  seeds: number,
): Item[] {
  const names = laneNames(scenario, catalog);
  const items: Item[] = [];
  // The largest values take longest: they come first, so that the end is not a wait for one of them.
  for (const value of [...values].reverse()) {
    scenario.schedulers.forEach((lane, i) => {
      const pointer = axis.pointer(lane);
      for (let seed = 1; seed <= seeds; seed++) {
        const one = withFittingGuide({ ...scenario, schedulers: [lane], seed }, scenario);
        items.push({
          words: [names[i] ?? lane.id, String(value), String(seed)],
          scenario: pointer === null ? one : withValues(one, [[pointer, value]]),
          base: null,
          probe: 'sweep',
          at: [],
        });
      }
    });
  }
  return items;
}
