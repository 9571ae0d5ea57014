import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apart } from './apart';

describe('sentences for screen readers', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are told at most once in two seconds, and the newest is not lost', () => {
    const told: [number, string][] = [];
    const began = performance.now();
    const { speak } = apart(2000, (text) => told.push([performance.now() - began, text]));
    for (let i = 0; i < 50; i++) {
      speak(String(i));
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([
      [0, '0'],
      [2000, '19'],
      [4000, '39'],
      [6000, '49'],
    ]);
    speak('later');
    expect(told.at(-1)).toEqual([15_000, 'later']);
  });
});
