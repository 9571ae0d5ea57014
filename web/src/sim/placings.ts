/**
 * The last record of each thread that says why it is where it is. Stored as columns, because every record may change
 * it.
 */
import type { TraceReader } from './trace';

/** Kinds of records that say it. */
const KINDS = ['wakeup', 'fork', 'migrate', 'switch', 'queue'] as const;

/** The last record that says why a thread is where it is. */
export interface Placing {
  readonly kind: (typeof KINDS)[number];
  readonly atNs: number;
  readonly cpu: number;
  readonly other: number;
  readonly decision: number;
  readonly also: number;
}

/** Number of threads that fit at first. */
const FIRST = 64;
/** Numbers of a record besides its kind. */
const WIDTH = 5;

/** By thread, as far as known. */
export class Placings {
  /** One more than the index of the kind; 0 for none. */
  #kind = new Uint8Array(FIRST);
  #facts = new Float64Array(FIRST * WIDTH);

  /** Takes a record, if it says why its thread is where it is. */
  take(record: TraceReader): void {
    const { task } = record;
    const kind = (KINDS as readonly string[]).indexOf(record.kind) + 1;
    if (kind === 0 || !(task >= 0)) return;
    while (task >= this.#kind.length) this.#grow();
    this.#kind[task] = kind;
    const at = task * WIDTH;
    this.#facts[at] = record.atNs;
    this.#facts[at + 1] = record.cpu;
    this.#facts[at + 2] = record.other;
    this.#facts[at + 3] = record.decision;
    this.#facts[at + 4] = record.also;
  }

  #grow(): void {
    const kind = new Uint8Array(2 * this.#kind.length);
    kind.set(this.#kind);
    this.#kind = kind;
    const facts = new Float64Array(2 * this.#facts.length);
    facts.set(this.#facts);
    this.#facts = facts;
  }

  /** Forgets all. */
  clear(): void {
    this.#kind.fill(0);
  }

  /** The kind of a thread's record. */
  kindOf(task: number): Placing['kind'] | undefined {
    return KINDS[(this.#kind[task] ?? 0) - 1];
  }

  /** The record of a thread. */
  get(task: number): Placing | undefined {
    const kind = this.kindOf(task);
    if (kind === undefined) return undefined;
    const fact = (i: number) => this.#facts[task * WIDTH + i] ?? Number.NaN;
    return {
      kind,
      atNs: fact(0),
      cpu: fact(1),
      other: fact(2),
      decision: fact(3),
      also: fact(4),
    };
  }

  /** Threads with a record. */
  get tasks(): readonly number[] {
    return [...this.#kind.keys()].filter((task) => this.kindOf(task) !== undefined);
  }
}
