/** How often what is read as words or numbers changes while time runs: nobody reads faster. */

const EVERY_MS = 600;
/** The same for what only listeners read: a table that changes under them faster cannot be listened to. */
const UNSEEN_MS = 2400;
/** Between the turns of two that take turns. */
const STEP_MS = 200;

let made = 0;

/** Lets one through now and then. Each has another turn than the one made before it: no picture has to carry all. */
export class Pace {
  readonly #phase = (made++ * STEP_MS) % UNSEEN_MS;
  #turn = -1;

  /** Whether it is due: always while time stands still. What nobody sees is due less often. */
  isDue(isPlaying: boolean, isSeen = true): boolean {
    const turn = Math.floor((performance.now() + this.#phase) / (isSeen ? EVERY_MS : UNSEEN_MS));
    if (isPlaying && turn === this.#turn) return false;
    this.#turn = turn;
    return true;
  }
}
