/** Finds where two lanes of a fork part: the first record of their traces that differs. */
import { joined, TRAIL } from './trail';

const WIDTH = TRAIL.length;
const TIME = TRAIL.indexOf('atNs');

/**
 * Rows that one lane may be ahead: more than an update brings, which has at most as many as the core keeps records.
 * The other lane has ended then.
 */
const MOST_AHEAD = 250_000;

/** The rows of a lane that the other has not reached, as they came. */
class Ahead {
  readonly #parts: Float64Array[] = [];
  #length = 0;

  get rows(): number {
    return this.#length / WIDTH;
  }

  /** Time of the first row. */
  get fromNs(): number {
    return this.#parts[0]?.[TIME] ?? 0;
  }

  add(part: Float64Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** Takes all of them. */
  take(): Float64Array {
    const all = joined(this.#parts);
    this.#parts.length = this.#length = 0;
    return all;
  }
}

/** Compares the trails of two lanes as they grow, in whichever workers they run; one may be ahead of the other. */
export class Difference {
  readonly #a = new Ahead();
  readonly #b = new Ahead();
  #foundNs: number | null = null;

  /** When they first differ; null as long as they do not. */
  get foundNs(): number | null {
    return this.#foundNs;
  }

  /** Starts again: one of the lanes has another future now. */
  restart(): void {
    this.#a.take();
    this.#b.take();
    this.#foundNs = null;
  }

  /** Takes the next rows of `TRAIL` of each lane. */
  take(a: Float64Array, b: Float64Array): void {
    if (this.#foundNs !== null) return;
    this.#a.add(a);
    this.#b.add(b);
    if (this.#a.rows > 0 && this.#b.rows > 0) this.#compare();
    const ahead = [this.#a, this.#b].find(({ rows }) => rows > MOST_AHEAD);
    if (ahead) this.#find(ahead.fromNs);
  }

  #compare(): void {
    const a = this.#a.take();
    const b = this.#b.take();
    let i = 0;
    let j = 0;
    while (i < a.length && j < b.length) {
      const ahead = (a[i] ?? 0) - (b[j] ?? 0);
      // One of the lanes may have dropped its oldest records already.
      if (ahead < 0) i += WIDTH;
      else if (ahead > 0) j += WIDTH;
      else if (isSame(a, i, b, j)) {
        i += WIDTH;
        j += WIDTH;
      } else {
        this.#find(Math.min(a[i + TIME] ?? 0, b[j + TIME] ?? 0));
        return;
      }
    }
    this.#a.add(a.slice(i));
    this.#b.add(b.slice(j));
  }

  #find(atNs: number): void {
    this.restart();
    this.#foundNs = atNs;
  }
}

function isSame(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 1; k < WIDTH; k++) if (a[i + k] !== b[j + k]) return false;
  return true;
}
