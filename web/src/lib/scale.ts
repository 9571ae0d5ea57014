/** Scales shared by controls and charts; the only file outside the views that uses D3. */
import { scaleLinear, scaleLog } from 'd3-scale';
import { clamp } from './units';

/** A mapping between a slider's position (0..1) and its value, both ways. */
export interface Mapping {
  toPosition(value: number): number;
  toValue(position: number): number;
}

/** A straight mapping. */
export function linearMapping(min: number, max: number): Mapping {
  const s = scaleLinear().domain([min, max]).range([0, 1]).clamp(true);
  return { toPosition: (v) => s(v), toValue: (p) => s.invert(p) };
}

/** A logarithmic mapping; `min` may be 0, which then has the first hundredth for itself. */
export function logMapping(min: number, max: number): Mapping {
  if (min > 0) {
    const s = scaleLog().domain([min, max]).range([0, 1]).clamp(true);
    return { toPosition: (v) => s(clamp(v, min, max)), toValue: (p) => s.invert(p) };
  }
  const s = scaleLog()
    .domain([1, Math.max(2, max)])
    .range([0.01, 1])
    .clamp(true);
  return {
    toPosition: (v) => (v < 1 ? 0 : s(v)),
    toValue: (p) => (p < 0.01 ? 0 : s.invert(p)),
  };
}

/** Round positions for ticks on a linear axis. */
export function ticks(from: number, to: number, about: number): number[] {
  return scaleLinear().domain([from, to]).ticks(about);
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
