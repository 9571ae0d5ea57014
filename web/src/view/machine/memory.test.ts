import { describe, expect, it } from 'vitest';
import { memoryOf, memoryText } from './memory';

const residents = (...rows: readonly (readonly number[])[]) => new Float64Array(rows.flat());

describe('memoryOf', () => {
  it('finds the nodes of a thread behind the caches, the largest part first', () => {
    const view = {
      residents: residents([0, 7, 100], [-1, 7, 4096], [-4, 7, 12288], [-1, 8, 4096]),
    };
    expect(memoryOf(view, 7)).toEqual([
      { node: 3, part: 0.75 },
      { node: 0, part: 0.25 },
    ]);
    expect(memoryOf(view, 8)).toEqual([{ node: 0, part: 1 }]);
    expect(memoryOf(view, 9)).toEqual([]);
  });
});

describe('memoryText', () => {
  it('says where it lies in a few words', () => {
    expect(memoryText([{ node: 2, part: 1 }])).toBe('all on node 2');
    expect(
      memoryText([
        { node: 3, part: 0.96 },
        { node: 0, part: 0.04 },
      ]),
    ).toBe('node 3 96 %, node 0 4 %');
    expect(memoryText([])).toBeNull();
  });
});
