/** Whom an announced moment leaves bright, held long enough: moments in quick succession would make all others flash. */

/** Shortest time for which the others are dim, or bright again. */
const HOLD_MS = 1000;

/** The dimming of one machine. */
export class Dimming {
  #led: readonly number[] | null = null;
  #sinceMs = -Infinity;

  /** The bright threads of a picture; null if all are. While time stands nothing flashes. */
  at(wanted: readonly number[] | null, nowMs: number, isStill: boolean): readonly number[] | null {
    const isOther = (wanted === null) !== (this.#led === null);
    if (isOther && !isStill && nowMs - this.#sinceMs < HOLD_MS) return this.#led;
    if (isOther) this.#sinceMs = nowMs;
    this.#led = wanted;
    return wanted;
  }
}
