import { describe, expect, it } from 'vitest';
import type { Mover } from '../schedulers/folder';
import {
  firstPlaceWords,
  moveWords,
  refusalWords,
  sayDaemons,
  sayMove,
  sayTotals,
} from './say-line';

describe('the line under the machine', () => {
  it('says who decides a move', () => {
    const say = (by: Mover) => sayMove({ from: 6, to: 3 }, by, 'job-7');
    expect(say('balance')).toBe('the balancer moves job-7: cpu 6 → cpu 3');
    expect(say('steal')).toBe('cpu 3 steals job-7 from cpu 6');
    expect(say('wake')).toBe('job-7 wakes up: cpu 6 → cpu 3');
    expect(say('pick')).toBe('cpu 3 picks job-7, last on cpu 6');
    expect(say('forced')).toBe('job-7 may not stay: cpu 6 → cpu 3');
    expect(say('other')).toBe('job-7 moves: cpu 6 → cpu 3');
    expect(firstPlaceWords('job-7', 2)[0]).toBe('job-7 begins on cpu 2: first place');
  });

  it('has shorter words for less room, which are whole sentences or names', () => {
    const move = { from: 6, to: 3 };
    expect(firstPlaceWords('job-7', 2).slice(1)).toEqual(['job-7 begins on cpu 2', 'job-7: cpu 2']);
    expect(moveWords(move, 'steal', 'job-7').slice(1)).toEqual([
      'job-7: cpu 6 → cpu 3',
      'cpu 6 → cpu 3',
    ]);
    expect(refusalWords(move, 'job-7').slice(1)).toEqual([
      'cpu 3 does not take job-7',
      'cpu 3 refuses',
    ]);
  });

  it('sums moves of jobs, and counts those that have no line', () => {
    const flows = { lines: [], withinOf: new Map(), moves: 623, between: 544, rest: 0, within: 79 };
    expect(sayTotals(flows, 1e9)[0]).toBe(
      '623 moves of jobs in 1.00 s: 544 between cores, 79 within',
    );
    expect(sayTotals({ ...flows, rest: 12 }, 2e7)[0]).toContain('in 20.0 ms');
    expect(sayTotals({ ...flows, rest: 12 }, 2e7)[1]).toContain(', 12 on no line');
    const none = { ...flows, moves: 0, between: 0, within: 0 };
    expect(sayTotals(none, 1e9)).toEqual(['0 moves of jobs in 1.00 s', '0 moves of jobs']);
  });

  it('counts daemons apart', () => {
    expect(sayDaemons(0)).toBe('');
    expect(sayDaemons(1)).toBe('daemons moved once, not drawn');
    expect(sayDaemons(201)).toBe('daemons moved 201 times, not drawn');
  });
});
