/** Read-only access to trace rows of the core by column name. */
import { Columns } from '../lib/columns';
import { Reasons } from './reasons';
import type { Catalog } from './types/Catalog';
import type { ReasonEntry } from './types/ReasonEntry';

/** Costs at the beginning of a slice, in the order in which they occur. */
export interface SwitchCost {
  /** Waiting for locks of the scheduler. */
  readonly lockNs: number;
  /** Switching. */
  readonly switchNs: number;
  /** Refilling caches with the data that every dispatch needs. */
  readonly refillNs: number;
}

/** Stands for the number of a decision that is not known here. */
export const UNKNOWN = -2;

/** Nothing: what most switches cost. */
export const NO_COST: SwitchCost = { lockNs: 0, switchNs: 0, refillNs: 0 };

/** These three times as one cost; switches without cost share one object. */
export function costOf(lockNs: number, switchNs: number, refillNs: number): SwitchCost {
  if (lockNs === 0 && switchNs === 0 && refillNs === 0) return NO_COST;
  return { lockNs, switchNs, refillNs };
}

/** Kinds of records that pictures use; `other` stands for the rest. */
export type TraceKind = 'switch' | 'migrate' | 'wakeup' | 'fork' | 'queue' | 'other';

const KINDS: readonly string[] = ['switch', 'migrate', 'wakeup', 'fork', 'queue'];

/** Where the columns of the records of one lane are, and what their codes mean. */
export class TraceSchema {
  readonly width: number;
  readonly columns: Columns;
  /** By code. */
  readonly kinds: readonly TraceKind[];
  /** The reasons of this lane. */
  readonly reasons: Reasons;

  constructor(catalog: Catalog, scheduler: string) {
    this.columns = new Columns(catalog.frame.trace);
    this.width = this.columns.names.length;
    this.kinds = catalog.traceKinds.map((kind) =>
      KINDS.includes(kind) ? (kind as TraceKind) : 'other',
    );
    this.reasons = new Reasons(catalog, scheduler);
  }

  /** Number of rows in a buffer. */
  length(rows: Float64Array): number {
    return Math.floor(rows.length / this.width);
  }
}

/** Reads the rows of a buffer in place, one after the other: no object is made for a row that is not kept. */
export class TraceReader {
  readonly #schema: TraceSchema;
  readonly #seq: number;
  readonly #atNs: number;
  readonly #kind: number;
  readonly #reason: number;
  readonly #cpu: number;
  readonly #task: number;
  readonly #other: number;
  readonly #decision: number;
  readonly #also: number;
  readonly #lockNs: number;
  readonly #switchNs: number;
  readonly #refillNs: number;
  #rows: Float64Array = new Float64Array();
  #at = 0;

  constructor(schema: TraceSchema) {
    const { columns } = schema;
    this.#schema = schema;
    this.#seq = columns.at('seq');
    this.#atNs = columns.at('atNs');
    this.#kind = columns.at('kind');
    this.#reason = columns.at('reason');
    this.#cpu = columns.at('cpu');
    this.#task = columns.at('task');
    this.#other = columns.at('other');
    this.#decision = columns.at('decision');
    this.#also = columns.at('also');
    this.#lockNs = columns.at('lockNs');
    this.#switchNs = columns.at('switchNs');
    this.#refillNs = columns.at('refillNs');
  }

  /** Moves to a row: the columns are then those of this row. */
  go(rows: Float64Array, row: number): this {
    this.#rows = rows;
    this.#at = row * this.#schema.width;
    return this;
  }

  #value(column: number): number {
    return this.#rows[this.#at + column] ?? Number.NaN;
  }

  get seq(): number {
    return this.#value(this.#seq);
  }

  get atNs(): number {
    return this.#value(this.#atNs);
  }

  get kind(): TraceKind {
    return this.#schema.kinds[this.#value(this.#kind)] ?? 'other';
  }

  /** Why, or null. */
  get reason(): ReasonEntry | null {
    return this.#schema.reasons.of(this.#value(this.#reason));
  }

  get cpu(): number {
    return this.#value(this.#cpu);
  }

  get task(): number {
    return this.#value(this.#task);
  }

  get other(): number {
    return this.#value(this.#other);
  }

  /** Number of the decision that led to it, −1 for none. */
  get decision(): number {
    return this.#value(this.#decision);
  }

  /** Number of a second decision, by the kind of record; −1 for none. */
  get also(): number {
    return this.#value(this.#also);
  }

  /** For a switch: its cost before the thread does work. */
  get cost(): SwitchCost {
    return costOf(
      this.#value(this.#lockNs),
      this.#value(this.#switchNs),
      this.#value(this.#refillNs),
    );
  }
}
