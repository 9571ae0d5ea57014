/** Scales shared by controls and charts; the only file outside the views that uses D3. */
import { ticks as ticksOf } from 'd3-array';
import { clamp } from './units';

/** A mapping between a slider's position (0..1) and its value, both ways. */
export interface Mapping {
  toPosition(value: number): number;
  toValue(position: number): number;
}

// d3's own scales would be a twentieth of the first load, most of it for colours and labels.

/** A straight mapping; where `min` is `max`, every value is in the middle. */
export function linearMapping(min: number, max: number): Mapping {
  return {
    toPosition: (v) => (max === min ? 0.5 : clamp((v - min) / (max - min), 0, 1)),
    toValue: (p) => min * (1 - clamp(p, 0, 1)) + max * clamp(p, 0, 1),
  };
}

/** A logarithmic mapping; `min` may be 0, which then takes the first hundredth. */
export function logMapping(min: number, max: number): Mapping {
  if (min > 0) {
    const s = linearMapping(Math.log(min), Math.log(max));
    return {
      toPosition: (v) => s.toPosition(Math.log(Math.max(v, min))),
      toValue: (p) => Math.exp(s.toValue(p)),
    };
  }
  const s = linearMapping(0, Math.log(Math.max(2, max)));
  return {
    toPosition: (v) => (v < 1 ? 0 : 0.01 + 0.99 * s.toPosition(Math.log(v))),
    toValue: (p) => (p < 0.01 ? 0 : Math.exp(s.toValue((p - 0.01) / 0.99))),
  };
}

/** With more steps from end to end than this, a key that goes by one of them changes nothing that anybody sees. */
const MANY_STEPS = 10_000;

/** How far a key moves a slider with a straight scale: by a step, or by a round hundredth of a long way. */
export function keyStep(min: number, max: number, step: number): number {
  return (max - min) / step > MANY_STEPS ? roundDown125((max - min) / 100, step) : step;
}

/** Round positions for ticks on a linear axis. */
export function ticks(from: number, to: number, about: number): number[] {
  return ticksOf(from, to, about);
}

/** The smallest of 1, 2, 5, 10, 20, 50, … (times `unit`) that is not below `value`. */
export function roundUp125(value: number, unit: number): number {
  let step = unit;
  for (;;) {
    for (const m of [1, 2, 5]) if (step * m >= value) return step * m;
    step *= 10;
  }
}

/** The largest of them that is not above `value`; `unit` where all are. */
export function roundDown125(value: number, unit: number): number {
  let best = unit;
  for (let step = unit; step <= value; step *= 10)
    for (const m of [1, 2, 5]) if (step * m <= value) best = step * m;
  return best;
}
