import { describe, expect, it } from 'vitest';
import { busiest, eachMoveSpeed, type Regime, regimeFor } from './regime';

const at = (moves: number, sliceMs: number, held: Regime) => regimeFor({ moves, sliceMs }, held);

describe('the regime', () => {
  it('follows moves and slices by its thresholds', () => {
    for (const [moves, sliceMs, regime] of [
      [0, Infinity, 'each move'],
      [4, 250, 'each move'],
      [4.1, 250, 'trails'],
      [4, 249, 'trails'],
      [30, 60, 'trails'],
      [30.1, 60, 'totals'],
      [30, 59, 'totals'],
      [0, 1, 'totals'],
      [1000, Infinity, 'totals'],
    ] as const)
      expect(at(moves, sliceMs, 'totals'), `${String(moves)} ${String(sliceMs)}`).toBe(regime);
  });

  it('is left only when its limit is exceeded by a quarter', () => {
    expect(at(5, 200, 'each move')).toBe('each move');
    expect(at(5.1, 200, 'each move')).toBe('trails');
    expect(at(5, 199, 'each move')).toBe('trails');
    expect(at(5, 200, 'trails')).toBe('trails');
    expect(at(37.5, 48, 'trails')).toBe('trails');
    expect(at(37.6, 48, 'trails')).toBe('totals');
    expect(at(37.5, 47, 'trails')).toBe('totals');
    expect(at(37.5, 48, 'totals')).toBe('totals');
    expect(at(4, 250, 'trails')).toBe('each move');
  });

  it('is each move at a speed that moves and slices allow', () => {
    expect(eachMoveSpeed({ moves: 0, sliceMs: Infinity }, 20)).toBe(20);
    expect(eachMoveSpeed({ moves: 4, sliceMs: 250 }, 20)).toBe(20);
    expect(eachMoveSpeed({ moves: 40, sliceMs: Infinity }, 20)).toBe(2);
    expect(eachMoveSpeed({ moves: 8, sliceMs: 25 }, 20)).toBe(2);
    for (const pulse of [
      { moves: 31, sliceMs: 7 },
      { moves: 900, sliceMs: 100 },
    ]) {
      const slower = 100 / eachMoveSpeed(pulse, 100);
      const slowed = { moves: pulse.moves / slower, sliceMs: pulse.sliceMs * slower };
      expect(regimeFor(slowed, 'totals')).toBe('each move');
    }
  });

  it('is that of the busiest lane', () => {
    const pulses = [
      { moves: 1, sliceMs: 50 },
      { moves: 20, sliceMs: 400 },
    ];
    expect(busiest(pulses)).toEqual({ moves: 20, sliceMs: 50 });
    expect(regimeFor(busiest([]), 'totals')).toBe('each move');
  });
});
