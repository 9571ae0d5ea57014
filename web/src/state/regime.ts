/** How much of what happens the stage can draw one by one: decided by what would have to be drawn, not by the slider. */

/** From calm to fast. */
export const REGIMES = ['each move', 'trails', 'totals'] as const;
/** How the machine is drawn. */
export type Regime = (typeof REGIMES)[number];

/** What would have to be drawn. */
export interface Pulse {
  /** Moves of the workload's threads per drawn second. */
  readonly moves: number;
  /** Median slice in drawn ms. */
  readonly sliceMs: number;
}

const EACH_MOVE: Pulse = { moves: 4, sliceMs: 250 };
/** Up to where each regime but the last can be followed. */
const LIMITS: readonly Pulse[] = [EACH_MOVE, { moves: 30, sliceMs: 60 }];

/** A regime that holds is left only when its limit is passed by so much: it shall not come and go. */
const SLACK = 1.25;

/** The regime for a pulse, given the one that holds. */
export function regimeFor(pulse: Pulse, held: Regime): Regime {
  const rank = REGIMES.indexOf(held);
  const found = LIMITS.findIndex(({ moves, sliceMs }, i) => {
    const slack = i >= rank ? SLACK : 1;
    return pulse.moves <= moves * slack && pulse.sliceMs >= sliceMs / slack;
  });
  return REGIMES[found] ?? 'totals';
}

/** The speed at which each move could be followed, given what would have to be drawn at a speed; never a higher one. */
export function eachMoveSpeed({ moves, sliceMs }: Pulse, speed: number): number {
  return speed / Math.max(1, moves / EACH_MOVE.moves, EACH_MOVE.sliceMs / sliceMs);
}

/** The pulse of all lanes: the busiest decides. */
export function busiest(pulses: Iterable<Pulse>): Pulse {
  let [moves, sliceMs] = [0, Number.POSITIVE_INFINITY];
  for (const pulse of pulses) {
    moves = Math.max(moves, pulse.moves);
    sliceMs = Math.min(sliceMs, pulse.sliceMs);
  }
  return { moves, sliceMs };
}
