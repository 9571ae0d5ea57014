/** The part of a lane's records that is compared with those of another lane, read in pieces. */
import type { LaneApi } from './lane-api';
import type { Catalog } from './types/Catalog';

/** Records per piece, so that no picture waits for it. */
const PER_LOOK = 2_000;

/** The columns of a trail. */
export const TRAIL = ['seq', 'atNs', 'kind', 'cpu', 'task', 'other'] as const;

/** Reads records as they come. */
export class Trail {
  readonly #lane: LaneApi;
  readonly #width: number;
  readonly #columns: readonly number[];
  #seq = 0;

  constructor(lane: LaneApi, catalog: Catalog) {
    this.#lane = lane;
    const { trace } = catalog.frame;
    this.#width = trace.length;
    this.#columns = TRAIL.map((column) => trace.indexOf(column));
  }

  /** Starts again: the lane has another future now. */
  restart(): void {
    this.#seq = 0;
  }

  /** The next rows of `TRAIL`, in at most `looks` pieces. */
  read(looks: number): Float64Array {
    const parts: Float64Array[] = [];
    for (let i = 0; i < looks; i++) {
      const records = this.#lane.trace(this.#seq, PER_LOOK);
      const n = records.length / this.#width;
      if (n > 0) parts.push(this.#rows(records, n));
      if (n < PER_LOOK) break;
    }
    return joined(parts);
  }

  #rows(records: Float64Array, n: number): Float64Array {
    const rows = new Float64Array(n * TRAIL.length);
    let to = 0;
    for (let from = 0; from < records.length; from += this.#width)
      for (const column of this.#columns) rows[to++] = records[from + column] ?? 0;
    this.#seq = (rows[(n - 1) * TRAIL.length] ?? 0) + 1;
    return rows;
  }
}

/** Arrays one after the other. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
