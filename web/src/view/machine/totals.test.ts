import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { specOf, SHAPES, treeOf } from '../../sim/test-machines';
import { areasOf } from './areas';
import { layoutMachine } from './layout';
import { MOST_LINES } from './motion';
import { bandsOf, flowsOf, linksIn, type TallyLike } from './totals';

const tallyOf = (pairs: TallyLike['pairs'], had: TallyLike['had'] = []): TallyLike => ({
  had,
  pairs,
  moves: pairs.reduce((sum, p) => sum + p.count, 0),
  fromNs: 100,
  toNs: 300,
});

describe('totals', () => {
  it('counts every move in exactly one number, however many cores there are', () => {
    const pair = fc.record({
      from: fc.nat(63),
      to: fc.nat(63),
      count: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: (p) => p.from * 64 + p.to }), (pairs) => {
        const coreOf = Array.from({ length: 64 }, (_, cpu) => cpu % 32);
        const flows = flowsOf(tallyOf(pairs), coreOf);
        const onLines = flows.lines.reduce((sum, line) => sum + line.count, 0);
        expect(onLines + flows.rest + flows.within).toBe(flows.moves);
        expect(flows.between).toBe(onLines + flows.rest);
        expect([...flows.withinOf.values()].reduce((a, b) => a + b, 0)).toBe(flows.within);
        expect(flows.lines.length).toBeLessThanOrEqual(MOST_LINES);
      }),
    );
  });

  it('draws the fullest lines, with both directions as one', () => {
    const ways = Array.from({ length: 10 }, (_, i) => ({ from: 0, to: i + 1, count: i + 1 }));
    const back = { from: 10, to: 0, count: 5 };
    const { lines, rest } = flowsOf(
      tallyOf([...ways, back]),
      Array.from({ length: 11 }, (_, cpu) => cpu),
    );
    expect(lines[0]).toEqual({ cores: [0, 10], count: 15 });
    expect(lines).toHaveLength(8);
    expect(rest).toBe(1 + 2);
  });

  it('has a band for each thread, in order, and one for all daemons', () => {
    const had = [
      new Map([
        [9, 20],
        [30, 10],
        [2, 100],
        [31, 10],
      ]),
    ];
    expect(bandsOf(tallyOf([], had), 0, (task) => task >= 30)).toEqual([
      { task: 2, part: 0.5 },
      { task: 9, part: 0.1 },
      { task: -1, part: 0.1 },
    ]);
    expect(bandsOf({ ...tallyOf([], had), toNs: 100 }, 0, () => false)).toEqual([]);
  });

  it('draws lines in the gaps between cores, with numbers apart', () => {
    const tree = treeOf(specOf(SHAPES['desktop'] ?? { cores: [] }));
    const layout = layoutMachine(areasOf(tree), { width: 380, height: 204 });
    const cores = [...new Set(tree.core)];
    const lines = cores.flatMap((a) =>
      cores.filter((b) => b > a).map((b) => ({ cores: [a, b] as const, count: 1 })),
    );
    const flows = { ...flowsOf(tallyOf([]), tree.core), lines };
    const links = linksIn(layout, flows, () => null);
    expect(links).toHaveLength(6);
    links.forEach(({ at }, i) => {
      for (const other of links.slice(i + 1))
        expect(Math.abs(at.x - other.at.x) >= 30 || Math.abs(at.y - other.at.y) >= 16).toBe(true);
    });
    for (const { a, b } of links)
      for (const slot of layout.slots)
        for (const p of [a, b]) {
          const { x, y, w, h } = slot.rect;
          expect(p.x > x && p.x < x + w && p.y > y && p.y < y + h).toBe(false);
        }
  });
});
