/** The runs of a sweep of one's own as rows, whatever became of them. Pure functions. */
import { csv } from '../lib/csv';
import type { Catalog } from '../sim/types/Catalog';
import type { Bad, Item, Seen } from './batch.svelte';
import type { Axis } from './own-sweep';
import { digestOf, eventsOf, type Measured } from './sweep-measures';

/** A run of the sweep. */
export interface Row {
  readonly value: number;
  /** Name of the lane. */
  readonly lane: string;
  readonly seed: number;
  /** `waiting` until it is known what became of it. */
  readonly status: 'ok' | 'waiting' | Bad['status'];
  /** What was wrong; empty if nothing was. */
  readonly message: string;
  /** What the core's probe gave; null without a result. */
  readonly given: Float64Array | null;
  readonly item: Item;
}

/** All rows, by value, seed and lane. */
export function rowsOf(
  items: readonly Item[],
  lanes: readonly string[],
  seen: readonly Seen[],
  bad: readonly Bad[],
): Row[] {
  const given = new Map(seen.map((s) => [s.index, s.values]));
  const wrong = new Map(bad.map((b) => [b.index, b]));
  const rows = items.map((item, i): Row => {
    const [lane = '', value, seed] = item.words;
    const at = given.get(i) ?? null;
    const problem = wrong.get(i);
    return {
      value: Number(value),
      lane,
      seed: Number(seed),
      status: problem?.status ?? (at ? 'ok' : 'waiting'),
      message: problem?.message ?? '',
      given: at,
      item,
    };
  });
  const place = (row: Row) => lanes.indexOf(row.lane);
  return rows.sort((a, b) => a.value - b.value || a.seed - b.seed || place(a) - place(b));
}

/** A file of rows, with the columns of `timeslice sweep` as far as they are known here, and all values as the core has them. */
export function rowsCsv(
  rows: readonly Row[],
  axis: Pick<Axis, 'heading'>,
  lanes: readonly string[],
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
    if (row.value !== before?.value || row.seed !== before.seed) point += 1;
    before = row;
    const { machine, schedulers } = row.item.scenario;
    const choice = schedulers[0];
    const eras = catalog.schedulers.find((s) => s.id === choice?.id)?.eras;
    return [
      point,
      lanes.indexOf(row.lane),
      row.value,
      typeof machine === 'string' ? machine : machine.id,
      choice?.id ?? '',
      choice?.era ?? eras?.[0]?.id ?? '',
      row.seed,
      row.status,
      row.message,
      row.given ? eventsOf(row.given) : NaN,
      row.given ? digestOf(row.given) : '',
      ...measures.map((m) => (row.given ? m.read(row.given) : NaN)),
    ];
  });
  return csv([head, ...cells]);
}
