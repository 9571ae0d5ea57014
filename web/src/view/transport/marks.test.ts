import { describe, expect, it } from 'vitest';
import { marksOf, PLACES } from './marks';

const END = 1_000_000_000;
const edit = (atNs: number) => ({
  atNs,
  set: { 'groups.a.count': 0 },
});
const marks = (times: readonly number[]) => marksOf(times.map(edit), END);

describe('marks of edits', () => {
  it('stand where their edits do', () => {
    expect(marks([0, END / 4, END])).toEqual([
      { part: 0, title: 'all of a ended at 0.000 ms' },
      { part: 0.25, title: 'all of a ended at 250.000 ms' },
      { part: 1, title: 'all of a ended at 1\u202f000.000 ms' },
    ]);
  });

  it('of 10,000 edits are as many as are distinguishable', () => {
    const all = marks(Array.from({ length: 10_000 }, (_, i) => i * 100_000));
    expect(all.length).toBeLessThanOrEqual(PLACES + 1);
    expect(all[0]?.title).toMatch(/^20 edits from 0.000 ms to 1.900 ms$/);
  });

  it('are a single one if all edits were at the same time', () => {
    expect(marks([5, 6]).map(({ title }) => title)).toEqual([
      'all of a ended at 0.000 ms; all of a ended at 0.000 ms',
    ]);
    expect(marks([5, 6, 7, 8, 9]).map(({ title }) => title)).toEqual([
      '5 edits from 0.000 ms to 0.000 ms',
    ]);
  });
});
