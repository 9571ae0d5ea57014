import { describe, expect, it } from 'vitest';
import type { LineEntity } from '../../../sim/types/LineEntity';
import type { PlacedParts } from '../placed';
import { type DrawnLine, linesOfTime } from './virtual-time';

/** Virtual runtimes on both sides of V, all with the same request. */
function entities(n: number): LineEntity[] {
  const list = Array.from({ length: n }, (_, i) => {
    const aheadNs = (((i * 37) % 101) - 50) * 1e5;
    return {
      entity: i,
      task: i,
      opens: null,
      running: i === 0,
      aheadNs,
      deadlineNs: aheadNs + 2.8e6 + i,
      weight: 1024,
      sliceNs: 2.8e6,
      eligible: aheadNs <= 0,
      delayed: false,
      protected: false,
      next: false,
      buddy: false,
    };
  });
  const owed = list.filter((e) => e.eligible).sort((a, b) => a.deadlineNs - b.deadlineNs);
  return list.map((e) => ({ ...e, next: e === owed[0] }));
}

function draw(list: readonly LineEntity[], width = 316): [DrawnLine, PlacedParts] {
  const out: PlacedParts = { placed: [], overflow: [] };
  const line = { line: 0, group: 0, averageNs: 0, weight: 1024 * list.length, entities: [...list] };
  const [drawn] = linesOfTime({ lines: [line] }, width, 0, out).lines;
  if (!drawn) throw new Error('no line');
  return [drawn, out];
}

describe('lines of virtual time', () => {
  for (const n of [1, 5, 40, 500])
    it(`shows or counts each of ${String(n)}, inside the picture`, () => {
      const [drawn, out] = draw(entities(n));
      const counted = drawn.bins.reduce((sum, b) => sum + b.eligible + b.ahead, 0);
      expect(drawn.bars.length + counted).toBe(n);
      expect(out.placed).toHaveLength(drawn.bars.length);
      for (const { from, to, x, y, size } of drawn.bars) {
        // The token is at the edge and covers no bar.
        expect(x + size / 2).toBeLessThan(from);
        expect(x - size / 2).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(316);
        expect(y).toBeLessThan(drawn.base);
      }
    });

  it('draws the thread that would be picked as the first full bar from the top', () => {
    for (const n of [5, 40, 500]) {
      const [drawn] = draw(entities(n));
      const full = drawn.bars.filter((b) => b.entity.eligible && !b.entity.running);
      expect(full[0]?.entity.next || drawn.bars[0]?.entity.next).toBe(true);
    }
  });

  it('counts no thread on the wrong side of V', () => {
    const [drawn] = draw(entities(500));
    const owed = entities(500).filter((e) => e.eligible).length;
    const withRows = drawn.bars.filter((b) => b.entity.eligible).length;
    expect(drawn.bins.reduce((sum, b) => sum + b.eligible, 0)).toBe(owed - withRows);
    expect(drawn.bins.filter((b) => b.eligible > 0 && b.ahead > 0)).toEqual([]);
  });

  it('draws hollow bars for threads that are not eligible, and for sleeping ones', () => {
    const list = entities(5).map((e, i) => ({ ...e, delayed: i === 2 }));
    const [, out] = draw(list);
    for (const { task, kind } of out.placed) {
      const e = list[task];
      expect(kind).toBe(e?.eligible && !e.delayed ? 'queue' : 'ahead');
    }
  });
});
