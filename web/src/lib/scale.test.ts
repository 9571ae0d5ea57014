import { scaleLinear, scaleLog } from 'd3-scale';
import { describe, expect, it } from 'vitest';
import { keyStep, linearMapping, logMapping, ticks } from './scale';

const POSITIONS = [-1, 0, 0.005, 0.01, 0.25, 0.5, 0.99, 1, 2];

describe('mappings', () => {
  it('are those of d3', () => {
    const linear = scaleLinear().domain([-20, 19]).range([0, 1]).clamp(true);
    const log = scaleLog().domain([64, 65_536]).range([0, 1]).clamp(true);
    for (const p of POSITIONS) {
      expect(linearMapping(-20, 19).toValue(p)).toBeCloseTo(linear.invert(p), 9);
      expect(logMapping(64, 65_536).toValue(p)).toBeCloseTo(log.invert(p), 6);
    }
    for (const v of [-40, -20, 0, 7.5, 19, 40])
      expect(linearMapping(-20, 19).toPosition(v)).toBeCloseTo(linear(v), 12);
    for (const v of [64, 100, 4096, 65_536])
      expect(logMapping(64, 65_536).toPosition(v)).toBeCloseTo(log(v), 12);
  });

  it('of values from 0 map the first hundredth to 0', () => {
    const { toPosition, toValue } = logMapping(0, 1000);
    expect([0, 1, 1000, 5000].map(toPosition)).toEqual([0, 0.01, 1, 1]);
    expect([0, 0.009].map(toValue)).toEqual([0, 0]);
    expect(toValue(0.01)).toBeCloseTo(1, 9);
    expect(toValue(1)).toBeCloseTo(1000, 6);
  });

  it('of a long way are walked by hundredths, others by single steps', () => {
    expect(keyStep(-20, 19, 1)).toBe(1);
    expect(keyStep(1, 10_000, 1)).toBe(1);
    expect(keyStep(-1, 1_000_000, 1)).toBe(10_000);
    expect(keyStep(0, 60_000, 10)).toBe(10);
  });

  it('of a single value map it to the middle', () => {
    expect(linearMapping(4, 4).toPosition(4)).toBe(0.5);
    expect(linearMapping(4, 4).toValue(0.7)).toBeCloseTo(4, 12);
  });

  it('have round ticks', () => {
    expect(ticks(0, 97, 5)).toEqual([0, 20, 40, 60, 80]);
  });
});
