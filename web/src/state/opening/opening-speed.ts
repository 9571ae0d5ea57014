/** The speed at which a scenario opens: slow enough to see single switches, and never faster than the default. */
import type { Frame } from '../../sim/frame';
import { roundDown125 } from '../../lib/scale';
import { DEFAULT_SPEED, MIN_SPEED } from '../playback.svelte';

/** Switches of one CPU in a drawn second that the eye can still tell apart. */
const SWITCHES_PER_SECOND = 6;

const sum = (column: Float64Array) => column.reduce((total, n) => total + n, 0);

/** Simulated ns per second, from what the lanes did so far. */
export function openingSpeed(frames: readonly Frame[]): number {
  const rates = frames.map((f) => (f.nowNs > 0 ? sum(f.task('switches')) / (f.nowNs * f.cpus) : 0));
  const most = Math.max(0, ...rates);
  if (most === 0) return DEFAULT_SPEED;
  const speed = roundDown125(SWITCHES_PER_SECOND / most, MIN_SPEED);
  return Math.min(DEFAULT_SPEED, speed);
}
