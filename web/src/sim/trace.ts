/** Read-only access to trace rows of the core by column name. */
import { Columns } from '../lib/columns';
import { Reasons } from './reasons';
import type { Catalog } from './types/Catalog';
import type { ReasonEntry } from './types/ReasonEntry';

/** Time at the begin of a slice, in the order in which it passes. */
export interface SwitchCost {
  /** Waiting for locks of the scheduler. */
  readonly lockNs: number;
  /** Switching. */
  readonly switchNs: number;
  /** Refilling caches with what every dispatch touches. */
  readonly refillNs: number;
}

/** Stands for the number of a decision that is not known here. */
export const UNKNOWN = -2;

/** A trace row with its codes translated. */
export interface TraceRow {
  readonly seq: number;
  readonly atNs: number;
  readonly kind: string;
  /** Why, or null. */
  readonly reason: ReasonEntry | null;
  readonly cpu: number;
  readonly task: number;
  readonly other: number;
  /** Number of the decision that led to it, −1 for none. */
  readonly decision: number;
  /** Number of a second one, by the kind of record; −1 for none. */
  readonly also: number;
  /** Of a switch: what it costs before work goes on. */
  readonly cost: SwitchCost;
}

/** Reads trace buffers of one lane. */
export class TraceSchema {
  readonly width: number;
  readonly #at: Readonly<
    Record<
      | 'seq'
      | 'atNs'
      | 'kind'
      | 'reason'
      | 'cpu'
      | 'task'
      | 'other'
      | 'decision'
      | 'also'
      | keyof SwitchCost,
      number
    >
  >;
  readonly #kinds: readonly string[];
  /** What the numbers of reasons mean in this lane. */
  readonly reasons: Reasons;

  constructor(catalog: Catalog, scheduler: string) {
    const columns = new Columns(catalog.frame.trace);
    this.width = columns.names.length;
    this.#at = {
      seq: columns.at('seq'),
      atNs: columns.at('atNs'),
      kind: columns.at('kind'),
      reason: columns.at('reason'),
      cpu: columns.at('cpu'),
      task: columns.at('task'),
      other: columns.at('other'),
      decision: columns.at('decision'),
      also: columns.at('also'),
      lockNs: columns.at('lockNs'),
      switchNs: columns.at('switchNs'),
      refillNs: columns.at('refillNs'),
    };
    this.#kinds = catalog.traceKinds;
    this.reasons = new Reasons(catalog, scheduler);
  }

  /** Number of rows in a buffer. */
  length(rows: Float64Array): number {
    return Math.floor(rows.length / this.width);
  }

  /** One row. */
  row(rows: Float64Array, i: number): TraceRow {
    const start = i * this.width;
    const value = (column: number) => rows[start + column] ?? Number.NaN;
    return {
      seq: value(this.#at.seq),
      atNs: value(this.#at.atNs),
      kind: this.#kinds[value(this.#at.kind)] ?? 'unknown',
      reason: this.reasons.of(value(this.#at.reason)),
      cpu: value(this.#at.cpu),
      task: value(this.#at.task),
      other: value(this.#at.other),
      decision: value(this.#at.decision),
      also: value(this.#at.also),
      cost: {
        lockNs: value(this.#at.lockNs),
        switchNs: value(this.#at.switchNs),
        refillNs: value(this.#at.refillNs),
      },
    };
  }
}
