/**
 * Counts how often the token of each slot changes on the screen. Sums over the last drawn second come too late for a
 * burst of daemons. So changes are counted picture by picture, and no slot flashes more than an eye can bear.
 */
import type { Placed } from './placed';

const SECOND_MS = 1000;
/** Most changes within a second that a slot may show as tokens; with the next one it shows bands. */
const MOST = 2;

interface Slot {
  /** The thread in it; −1 for none. */
  task: number;
  /** Times in ms of its changes within the last second, and of changes to come when a token has flown in. */
  changes: number[];
  isRapid: boolean;
}

/** The slots of one lane. */
export class SlotPace {
  #slots: Slot[] = [];
  #tasks = new Int32Array();

  /** After a jump in time nothing has changed. */
  reset(): void {
    this.#slots = [];
  }

  /**
   * Takes the threads of the next picture's slots. Tokens arrive `flightMs` after they left. A switch then empties a
   * slot first and fills it later: two changes. Without flights it is one.
   */
  notice(placed: readonly Placed[], slots: number, nowMs: number, flightMs: number): void {
    if (this.#tasks.length !== slots) this.#tasks = new Int32Array(slots);
    const tasks = this.#tasks.fill(-1);
    for (const { kind, cpu, task } of placed) if (kind === 'slot') tasks[cpu] = task;
    tasks.forEach((task, cpu) => {
      const slot = (this.#slots[cpu] ??= { task, changes: [], isRapid: false });
      if (slot.task !== task) {
        if (slot.task >= 0 && (flightMs > 0 || task < 0)) slot.changes.push(nowMs);
        if (task >= 0) slot.changes.push(nowMs + flightMs);
      }
      slot.task = task;
      forget(slot.changes, nowMs - SECOND_MS);
      if (!slot.isRapid) slot.isRapid = slot.changes.length > MOST;
      else if (slot.changes.length === 0) {
        // Tokens return after a whole second without a change, so that they do not flicker.
        slot.isRapid = false;
        // The change from bands to a token counts, and the bands may just have been renewed.
        slot.changes.push(nowMs, nowMs);
      }
    });
  }

  /** Whether the tokens of a CPU change too often to be shown one by one. */
  isRapid(cpu: number): boolean {
    return this.#slots[cpu]?.isRapid ?? false;
  }
}

/** Removes times up to a given one. Future times may stand before past ones. */
function forget(changes: number[], untilMs: number): void {
  let kept = 0;
  for (const ms of changes) {
    if (ms <= untilMs) continue;
    changes[kept] = ms;
    kept += 1;
  }
  changes.length = kept;
}
