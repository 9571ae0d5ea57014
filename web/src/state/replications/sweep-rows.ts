/** The runs of the reader's own sweep as rows, with their results or problems. Pure functions. */
import { csv } from '../../lib/csv';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import type { FailedRun } from './batch.svelte';
import type { Axis, OwnItem, OwnSample } from './own-sweep';
import { digestOf, eventsOf, type Measured } from './sweep-measures';

/** A run of the sweep. */
export interface Row {
  readonly item: OwnItem;
  /** `waiting` until the run ends or fails. */
  readonly status: 'ok' | 'waiting' | FailedRun['status'];
  /** The problem; empty if there is none. */
  readonly message: string;
  /** The result of the core's probe; null without one. */
  readonly given: OwnSample | null;
}

/** All rows, by value, seed and lane. */
export function rowsOf(
  items: readonly OwnItem[],
  samples: readonly OwnSample[],
  bad: readonly FailedRun[],
): Row[] {
  const given = new Map(samples.map((s) => [s.item.key, s]));
  const wrong = new Map(bad.map((b) => [b.key, b]));
  const rows = items.map((item): Row => {
    const sample = given.get(item.key) ?? null;
    const problem = wrong.get(item.key);
    return {
      item,
      status: problem?.status ?? (sample ? 'ok' : 'waiting'),
      message: problem?.message ?? '',
      given: sample,
    };
  });
  return rows.sort(({ item: a }, { item: b }) => a.x - b.x || a.seed - b.seed || a.lane - b.lane);
}

/** A file of rows with the columns of `timeslice sweep`, as far as they are known here, and all values of the core. */
export function rowsCsv(
  rows: readonly Row[],
  axis: Pick<Axis, 'heading'>,
  measures: readonly Measured[],
  catalog: Catalog,
): string {
  const fixed = [
    'machine',
    'scheduler',
    'era',
    'run_seed',
    'status',
    'message',
    'events',
    'digest',
  ];
  const head = ['point', 'lane', axis.heading, ...fixed, ...measures.map((m) => m.id)];
  let point = -1;
  let before: Row | undefined;
  const cells = rows.map((row) => {
    const { item } = row;
    if (item.x !== before?.item.x || item.seed !== before.item.seed) point += 1;
    before = row;
    const { machine, schedulers } = JSON.parse(item.scenario) as Scenario;
    const choice = schedulers[0];
    const eras = catalog.schedulers.find((s) => s.id === choice?.id)?.eras;
    return [
      point,
      item.lane,
      item.x,
      typeof machine === 'string' ? machine : machine.id,
      choice?.id ?? '',
      choice?.era ?? eras?.[0]?.id ?? '',
      item.seed,
      row.status,
      row.message,
      row.given ? eventsOf(row.given) : NaN,
      row.given ? digestOf(row.given) : '',
      ...measures.map((m) => (row.given ? m.read(row.given) : NaN)),
    ];
  });
  return csv([head, ...cells]);
}
