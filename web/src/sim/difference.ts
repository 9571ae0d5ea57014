/** Where two lanes of a fork part: the first record of their traces that is not the same. */
import type { LaneApi } from './lane-api';
import type { Catalog } from './types/Catalog';

/** Records compared at a time, so that no picture waits for it. */
const PER_LOOK = 2_000;

/** Compares the traces of two lanes as they grow. */
export class Difference {
  readonly #a: LaneApi;
  readonly #b: LaneApi;
  readonly #width: number;
  readonly #time: number;
  readonly #compared: readonly number[];
  #seq = 0;
  #foundNs: number | null = null;

  constructor(a: LaneApi, b: LaneApi, catalog: Catalog) {
    this.#a = a;
    this.#b = b;
    const { trace } = catalog.frame;
    this.#width = trace.length;
    this.#time = trace.indexOf('atNs');
    this.#compared = ['atNs', 'kind', 'cpu', 'task', 'other'].map((c) => trace.indexOf(c));
  }

  /** Begins again: one of them has another future now. */
  restart(): void {
    this.#seq = 0;
    this.#foundNs = null;
  }

  /** Looks at some more records, as often as it may: when they first differ, or null as far as is known. */
  look(times: number): number | null {
    for (let i = 0; i < times && this.#foundNs === null; i++) if (!this.#lookOnce()) break;
    return this.#foundNs;
  }

  /** Whether there may be more to compare. */
  #lookOnce(): boolean {
    let a = this.#a.trace(this.#seq, PER_LOOK);
    let b = this.#b.trace(this.#seq, PER_LOOK);
    // The oldest records may be gone in one of them already.
    const first = Math.max(a[0] ?? 0, b[0] ?? 0);
    if (a[0] !== b[0]) {
      a = this.#a.trace(first, PER_LOOK);
      b = this.#b.trace(first, PER_LOOK);
    }
    const n = Math.min(a.length, b.length) / this.#width;
    for (let i = 0; i < n; i++) {
      const at = i * this.#width;
      if (this.#compared.some((c) => a[at + c] !== b[at + c])) {
        this.#foundNs = Math.min(a[at + this.#time] ?? 0, b[at + this.#time] ?? 0);
        return false;
      }
    }
    if (n > 0) this.#seq = (a[(n - 1) * this.#width] ?? 0) + 1;
    return n >= PER_LOOK;
  }
}
