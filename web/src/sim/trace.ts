/** Read-only access to trace rows of the core by column name. */
import { Columns } from '../lib/columns';
import type { Catalog } from './types/Catalog';

/** Time at the begin of a slice, in the order in which it passes. */
export interface SwitchCost {
  /** Waiting for locks of the scheduler. */
  readonly lockNs: number;
  /** Switching. */
  readonly switchNs: number;
  /** Refilling caches with what every dispatch touches. */
  readonly refillNs: number;
}

/** A trace row with its codes translated. */
export interface TraceRow {
  readonly seq: number;
  readonly atNs: number;
  readonly kind: string;
  /** Reason id, or null. */
  readonly reason: string | null;
  readonly cpu: number;
  readonly task: number;
  readonly other: number;
  readonly decision: number;
  /** Of a switch: what it costs before work goes on. */
  readonly cost: SwitchCost;
}

/** Reads trace buffers. */
export class TraceSchema {
  readonly width: number;
  readonly #at: Readonly<
    Record<
      'seq' | 'atNs' | 'kind' | 'reason' | 'cpu' | 'task' | 'other' | 'decision' | keyof SwitchCost,
      number
    >
  >;
  readonly #kinds: readonly string[];
  readonly #reasons: readonly string[];

  constructor(catalog: Catalog) {
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
      lockNs: columns.at('lockNs'),
      switchNs: columns.at('switchNs'),
      refillNs: columns.at('refillNs'),
    };
    this.#kinds = catalog.traceKinds;
    this.#reasons = catalog.reasons.map((r) => r.id);
  }

  /** Number of rows in a buffer. */
  length(rows: Float64Array): number {
    return Math.floor(rows.length / this.width);
  }

  /** One row. */
  row(rows: Float64Array, i: number): TraceRow {
    const start = i * this.width;
    const value = (column: number) => rows[start + column] ?? Number.NaN;
    const reason = value(this.#at.reason);
    return {
      seq: value(this.#at.seq),
      atNs: value(this.#at.atNs),
      kind: this.#kinds[value(this.#at.kind)] ?? 'unknown',
      reason: reason < 0 ? null : (this.#reasons[reason] ?? null),
      cpu: value(this.#at.cpu),
      task: value(this.#at.task),
      other: value(this.#at.other),
      decision: value(this.#at.decision),
      cost: {
        lockNs: value(this.#at.lockNs),
        switchNs: value(this.#at.switchNs),
        refillNs: value(this.#at.refillNs),
      },
    };
  }
}
