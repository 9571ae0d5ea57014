import { describe, expect, it } from 'vitest';
import { curvesCsv, curvesOf, intervals, pointAt } from './curves';
import { spread } from './labels';
import { chartOf, seriesOf } from './made-up';

const ule = seriesOf(
  'ULE',
  [
    [1, 2, 0.5],
    [10, 4, 1],
  ],
  { published: [[1, 2.2]], provenance: 'measured' },
);
const alone = seriesOf('4BSD', [[1, 3, null]]);

describe('curves', () => {
  it('have the means and intervals of the judge, in the hue of their series', () => {
    const curves = curvesOf(chartOf([alone, ule]), undefined);
    expect(curves.map((c) => [c.name, c.kind, c.hue])).toEqual([
      ['ULE, published', 'published', 1],
      ['4BSD', 'simulated', 0],
      ['ULE', 'simulated', 1],
    ]);
    expect(curves[2]?.points).toEqual([
      { x: 1, y: 2, low: 1.5, high: 2.5, n: 5 },
      { x: 10, y: 4, low: 3, high: 5, n: 5 },
    ]);
    // One seed has no interval.
    expect(curves[1]?.points[0]).toEqual({ x: 1, y: 3, low: 3, high: 3, n: 1 });
  });
  it('show the results before a change, and the range of an assumption', () => {
    const band = { label: 'latency 80 to 120 ns (supposition)', points: [[1, 1, 4]] as const };
    const chart = chartOf([{ ...ule, band }]);
    const curves = curvesOf(chart, chartOf([alone]));
    expect(curves.map((c) => [c.kind, c.name])).toEqual([
      ['supposed', 'ULE: latency 80 to 120 ns (supposition)'],
      ['published', 'ULE, published'],
      ['before', '4BSD'],
      ['simulated', 'ULE'],
    ]);
    expect(curves[0]?.points[0]).toMatchObject({ x: 1, low: 1, high: 4 });
  });
  it('are not called published if they follow from rules', () => {
    const bound = seriesOf('surplus never moves', [], {
      published: [[1, 1]],
      provenance: 'inferred',
    });
    expect(curvesOf(chartOf([bound]), undefined).map((c) => c.name)).toEqual([
      'surplus never moves, inferred',
    ]);
  });
  it('keep their name if they are never simulated', () => {
    const ideal = seriesOf('ideal, closed form', [], { published: [[1, 1]], provenance: 'stated' });
    expect(curvesOf(chartOf([ideal]), undefined).map((c) => c.name)).toEqual([
      'ideal, closed form',
    ]);
  });
  it('say how their intervals were computed', () => {
    const said = (of: typeof ule) => intervals(curvesOf(chartOf([of]), undefined));
    expect(said(ule)).toBe('95 % interval, Student’s t over 5 seeds');
    expect(said(alone)).toBe('one seed, so no interval');
    expect(said({ ...ule, points: [] })).toBe('');
  });
  it('are read at their points; over time, at the latest point before, until they end', () => {
    const at = (x: number) => ({ x, y: 10 * x, low: 0, high: 0, n: 1 });
    const curve = { name: 'A', kind: 'simulated', hue: 0, points: [at(1), at(3), at(9)] } as const;
    expect([1, 2, 9].map((x) => pointAt(curve, x, false)?.y)).toEqual([10, undefined, 90]);
    expect([0, 2, 5, 9, 10].map((x) => pointAt(curve, x, true)?.y)).toEqual([
      undefined,
      10,
      30,
      90,
      undefined,
    ]);
  });
  it('become a table in which commas are quoted', () => {
    const chart = chartOf([ule]);
    expect(curvesCsv(chart, curvesOf(chart, undefined)).split('\r\n')).toEqual([
      'processes,curve,kind,"time, relative",low,high,seeds',
      '1,"ULE, published",measured,2.2,2.2,2.2,1',
      '1,ULE,simulated,2,1.5,2.5,5',
      '10,ULE,simulated,4,3,5,5',
      '',
    ]);
  });
});

describe('labels', () => {
  it('keep their distance and stay inside', () => {
    const at = (items: number[]) =>
      spread(
        items.map((y) => ({ y })),
        10,
        [0, 100],
      ).map((p) => p.y);
    expect(at([50, 52, 51])).toEqual([50, 60, 70]);
    expect(at([99, 98])).toEqual([90, 100]);
    expect(at([5, 60])).toEqual([5, 60]);
  });
});
