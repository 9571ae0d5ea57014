import { describe, expect, it } from 'vitest';
import * as format from './format';

describe('format', () => {
  it('shows time in ms with three decimals and never rounds it up', () => {
    expect(format.clock(0)).toBe('0.000 ms');
    expect(format.clock(1_999_999)).toBe('1.999 ms');
    expect(format.clock(12_345_678_901)).toBe('12\u202f345.678 ms');
    expect(format.presentedClock(9_999_999_999)).toBe('9\u202f999.999 ms');
    expect(format.presentedClock(10_063_657_432)).toBe('10.063 s');
  });

  it('chooses the unit of a duration by its size', () => {
    expect(format.duration(850)).toBe('850 ns');
    expect(format.duration(20_000_000)).toBe('20.0 ms');
    expect(format.duration(1500)).toBe('1.50 µs');
    expect(format.duration(61_000_000_000)).toBe('61.0 s');
    expect(format.duration(-5_000_000)).toBe('−5.00 ms');
  });

  it('puts the unit behind a number, in the singular for one', () => {
    expect(format.withUnit(1, 'threads')).toBe('1 thread');
    expect(format.withUnit(2, 'threads')).toBe('2 threads');
    expect(format.withUnit(1065, '1/2048')).toBe('0.52');
  });

  it('shows an undefined number as a dash', () => {
    for (const f of [
      format.count,
      format.clock,
      format.duration,
      format.percent,
      format.ratio,
      format.bytes,
    ]) {
      expect(f(Number.NaN)).toBe(format.NOTHING);
    }
  });

  it('writes sizes without needless zeros', () => {
    expect(format.bytes(1024)).toBe('1 KiB');
    expect(format.bytes(1536)).toBe('1.5 KiB');
    expect(format.bytes(100 * 1024)).toBe('100 KiB');
    expect(format.bytes(64 * 1024 * 1024)).toBe('64 MiB');
  });

  it('has no negative zero', () => {
    expect(format.percent(-0.001)).toBe('0 %');
    expect(format.nice(0)).toBe('0');
  });

  it('signs nice values', () => {
    expect([format.nice(5), format.nice(-20)]).toEqual(['+5', '−20']);
  });
});
