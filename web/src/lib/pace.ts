/** How often text and numbers change while time runs: nobody could read faster changes. */

const EVERY_MS = 600;
/** The same for tables that only screen readers read: a faster change would interrupt them. */
const UNSEEN_MS = 2400;
/** Distance between the phases of two views. */
const STEP_MS = 200;

let made = 0;

/** Decides when a view updates. Each has another phase than the one before, so that no picture has to update all. */
export class Pace {
  readonly #phase = (made++ * STEP_MS) % UNSEEN_MS;
  readonly #everyMs: number;
  #turn = -1;

  /** A view that updates more slowly than others says how often, in ms. */
  constructor(everyMs = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Whether an update is due: always while time stands, and less often for a view that is not visible. */
  isDue(isPlaying: boolean, isSeen = true): boolean {
    const turn = Math.floor(
      (performance.now() + this.#phase) / (isSeen ? this.#everyMs : UNSEEN_MS),
    );
    if (isPlaying && turn === this.#turn) return false;
    this.#turn = turn;
    return true;
  }
}
