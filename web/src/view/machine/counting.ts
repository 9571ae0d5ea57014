/**
 * Sums over the last drawn second of a lane, computed a few times a second so that the numbers on the stage do not
 * flicker. While time stands they are exact.
 */
import type { History } from '../../sim/history';
import type { LaneState } from '../../state/lane.svelte';
import type { Pulse } from '../../state/regime';

/** Time between two computations while time runs. */
const EVERY_MS = 400;
/** Drawn seconds that decide the regime: a single one may have too few slices. */
const PULSE_S = 3;

type Tally = ReturnType<History['recent']['tally']>;

/** Counts one lane. */
export class Counting {
  /** The newest answer. */
  tally: Tally | null = null;
  /** Rises with each answer. */
  number = 0;
  /** The rate of events to draw. */
  pulse: Pulse = { moves: 0, sliceMs: Number.POSITIVE_INFINITY };
  #atMs = -Infinity;
  #of: readonly unknown[] = [];
  #frame: unknown = null;

  /** Computes again if that is due; `lengthNs` is the simulated time of a drawn second. Returns whether it did. */
  count(
    lane: LaneState,
    lengthNs: number,
    when: { readonly nowMs: number; readonly isPlaying: boolean; readonly jumps: number },
  ): boolean {
    const of = [lane, lengthNs, when.jumps, when.isPlaying];
    const isSame = of.every((part, i) => part === this.#of[i]);
    const isDue = when.isPlaying ? when.nowMs - this.#atMs >= EVERY_MS : lane.frame !== this.#frame;
    if (isSame && !isDue) return false;
    this.#of = of;
    this.#atMs = when.nowMs;
    this.#frame = lane.frame;
    const { frame, history } = lane;
    const isBackground = (task: number) => lane.isBackground(task);
    const { recent } = history;
    const curr = frame.cpu('curr');
    this.tally = recent.tally(frame.nowNs, lengthNs, curr, isBackground);
    this.number += 1;
    const { moves, sliceNs, fromNs, toNs } = recent.pulse(
      frame.nowNs,
      PULSE_S * lengthNs,
      curr,
      isBackground,
    );
    const seconds = (toNs - fromNs) / lengthNs;
    this.pulse = {
      moves: seconds > 0 ? moves / seconds : 0,
      sliceMs: (sliceNs / lengthNs) * 1000,
    };
    return true;
  }
}
