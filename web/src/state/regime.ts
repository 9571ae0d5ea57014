/** How much of the activity the stage draws one by one. The rate of events decides, not the speed slider. */

/** From calm to fast. */
export const REGIMES = ['each move', 'trails', 'totals'] as const;
/** How the machine is drawn. */
export type Regime = (typeof REGIMES)[number];

/** The rate of events to draw. */
export interface Pulse {
  /** Moves of the workload's threads per drawn second. */
  readonly moves: number;
  /** Median slice in drawn ms. */
  readonly sliceMs: number;
}

const EACH_MOVE: Pulse = { moves: 4, sliceMs: 250 };
/** Limits up to which each regime but the last can be followed. */
const LIMITS: readonly Pulse[] = [EACH_MOVE, { moves: 30, sliceMs: 60 }];

/** A regime is left only when its limit is exceeded by this factor, so that it does not flicker. */
const SLACK = 1.25;

/** The regime for a rate of events, given the present one. */
export function regimeFor(pulse: Pulse, held: Regime): Regime {
  const rank = REGIMES.indexOf(held);
  const found = LIMITS.findIndex(({ moves, sliceMs }, i) => {
    const slack = i >= rank ? SLACK : 1;
    return pulse.moves <= moves * slack && pulse.sliceMs >= sliceMs / slack;
  });
  return REGIMES[found] ?? 'totals';
}

/**
 * The highest speed at which each move can be followed, given the rate of events at a speed; never higher than that
 * speed.
 */
export function eachMoveSpeed({ moves, sliceMs }: Pulse, speed: number): number {
  return speed / Math.max(1, moves / EACH_MOVE.moves, EACH_MOVE.sliceMs / sliceMs);
}

/** The highest rate of all lanes. */
export function busiest(pulses: Iterable<Pulse>): Pulse {
  let [moves, sliceMs] = [0, Number.POSITIVE_INFINITY];
  for (const pulse of pulses) {
    moves = Math.max(moves, pulse.moves);
    sliceMs = Math.min(sliceMs, pulse.sliceMs);
  }
  return { moves, sliceMs };
}
