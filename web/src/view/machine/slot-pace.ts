/**
 * How often the token of each slot has changed on the screen. What was counted over the last drawn second comes too late
 * for a burst of daemons; this is counted picture by picture, so that no slot flashes more than an eye bears.
 */
import type { Placed } from './placed';

const SECOND_MS = 1000;
/** Changes within a second that a slot may show token by token; with the next one it shows bands. */
const MOST = 2;

interface Slot {
  /** Who is in it; −1 nobody. */
  task: number;
  /** When its look changed, within the last second, or will change when a token has flown in, ms. */
  changes: number[];
  isRapid: boolean;
}

/** Of one lane. */
export class SlotPace {
  #slots: Slot[] = [];
  #tasks = new Int32Array();

  /** After a jump in time nothing has changed. */
  reset(): void {
    this.#slots = [];
  }

  /**
   * Takes in who is where in the next picture of so many slots. Tokens arrive `flightMs` after they left: a switch then
   * empties a slot first and fills it later, which are two changes; without flights it is one.
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
        // It shows a token again after a whole second without a change: it shall not come and go.
        slot.isRapid = false;
        // From bands to a token is a change as well, and the bands may just have been renewed.
        slot.changes.push(nowMs, nowMs);
      }
    });
  }

  /** Whether the tokens of a CPU change too often to be shown one by one. */
  isRapid(cpu: number): boolean {
    return this.#slots[cpu]?.isRapid ?? false;
  }
}

/** Takes away what is as old as a time or older. Those yet to come stand among the others. */
function forget(changes: number[], untilMs: number): void {
  let kept = 0;
  for (const ms of changes) {
    if (ms <= untilMs) continue;
    changes[kept] = ms;
    kept += 1;
  }
  changes.length = kept;
}
