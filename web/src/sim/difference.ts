/** Finds where two lanes of a fork part: the first record of their traces that differs. */
import { joined, TRAIL } from './trail';

const WIDTH = TRAIL.length;
const TIME = TRAIL.indexOf('atNs');

const NOTHING = new Float64Array();

/** Compares the trails of two lanes as they grow, in whichever workers they run; one may be ahead of the other. */
export class Difference {
  /** Rows that the other lane has not reached. */
  #a: Float64Array = NOTHING;
  #b: Float64Array = NOTHING;
  #foundNs: number | null = null;

  /** When they first differ; null as long as they do not. */
  get foundNs(): number | null {
    return this.#foundNs;
  }

  /** Starts again: one of the lanes has another future now. */
  restart(): void {
    this.#a = NOTHING;
    this.#b = NOTHING;
    this.#foundNs = null;
  }

  /** Takes the next rows of `TRAIL` of each lane. */
  take(a: Float64Array, b: Float64Array): void {
    if (this.#foundNs !== null) return;
    this.#a = this.#a.length === 0 ? a : joined([this.#a, a]);
    this.#b = this.#b.length === 0 ? b : joined([this.#b, b]);
    this.#compare();
  }

  #compare(): void {
    const a = this.#a;
    const b = this.#b;
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
        this.#foundNs = Math.min(a[i + TIME] ?? 0, b[j + TIME] ?? 0);
        [i, j] = [a.length, b.length];
      }
    }
    this.#a = a.slice(i);
    this.#b = b.slice(j);
  }
}

function isSame(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 1; k < WIDTH; k++) if (a[i + k] !== b[j + k]) return false;
  return true;
}
