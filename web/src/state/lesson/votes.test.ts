import { describe, expect, it } from 'vitest';
import type { Lesson } from '../../sim/types/Lesson';
import { handsOf, mostHands, Votes, votesCsv } from './votes.svelte';

const LESSON = {
  id: 'l01',
  steps: [
    { kind: 'situation', text: '' },
    {
      kind: 'predict',
      id: 'q1',
      ask: 'When?',
      answer: { type: 'choice', options: ['10 s', '15, or "more"'] },
    },
  ],
  transfer: { ask: '', answer: '' },
} as unknown as Lesson;

describe('a show of hands', () => {
  it('has a winner only where one option has the most', () => {
    expect(mostHands([6, 31, 19, 8])).toBe(2);
    expect(mostHands([6, 6])).toBeNull();
    expect(mostHands([0, 0])).toBeNull();
    expect(mostHands([])).toBeNull();
  });

  it('is typed as whole numbers', () => {
    expect(['', ' 31 ', '0', '9999'].map(handsOf)).toEqual([0, 31, 0, 9999]);
    expect(['-1', '1.5', 'many', '10000'].map(handsOf)).toEqual([null, null, null, null]);
  });

  it('is counted twice at most, and the first vote stays', () => {
    const votes = new Votes();
    expect(votes.isCounting('q1')).toBe(true);
    votes.take('q1', [6, 31]);
    expect([votes.isCounting('q1'), votes.hasAny]).toEqual([false, true]);
    votes.again('q1');
    expect(votes.isCounting('q1')).toBe(true);
    expect(votes.of('q1')).toEqual([[6, 31]]);
    votes.take('q1', [20, 17]);
    votes.again('q1');
    votes.take('q1', [21, 16]);
    expect(votes.of('q1')).toEqual([
      [6, 31],
      [21, 16],
    ]);
    expect(votes.of('q2')).toEqual([]);
    votes.forget();
    expect(votes.hasAny).toBe(false);
  });

  it('goes into a table with both votes and the truth', () => {
    const votes = new Votes();
    votes.take('q1', [6, 31]);
    const rows = votesCsv(LESSON, votes, () => 2)
      .trimEnd()
      .split(/\r?\n/);
    expect(rows[0]).toBe('lesson,step,question,option,text,first,second,truth');
    expect(rows[1]).toBe('l01,2,q1,1,10 s,6,,false');
    expect(rows[2]).toBe('l01,2,q1,2,"15, or ""more""",31,,true');
    votes.take('q1', [1, 36]);
    expect(votesCsv(LESSON, votes, () => null)).toContain('10 s,6,1,');
  });
});
