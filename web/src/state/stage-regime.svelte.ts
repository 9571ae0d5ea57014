/** The regime of the page: all lanes are drawn in the same one, so that they can be compared. */
import { busiest, type Pulse, type Regime, regimeFor } from './regime';

/** Collects the rates of events from the lanes and decides. */
export class StageRegime {
  /** How machines are drawn now; the speed control names it. */
  now = $state<Regime>('each move');
  /** The regime at the chosen speed. What lasts longer than an announced moment follows this one. */
  settled = $state<Regime>('each move');
  readonly #pulses = new Map<number, Pulse>();

  /** A lane, one of `lanes`, reports its rate of events. */
  report(lane: number, lanes: number, pulse: Pulse, isSlowed: boolean): void {
    this.#pulses.set(lane, pulse);
    for (const known of this.#pulses.keys()) if (known >= lanes) this.#pulses.delete(known);
    const next = regimeFor(busiest(this.#pulses.values()), this.now);
    if (next !== this.now) this.now = next;
    if (!isSlowed && next !== this.settled) this.settled = next;
  }
}
