import { describe, expect, it } from 'vitest';
import { type ChartSpec, curvesCsv, curvesOf, pointAt, published, summary } from './curves';
import { spread } from './labels';

const spec: ChartSpec = {
  id: 'x',
  title: 'X',
  definition: '',
  x: { label: 'instances' },
  y: { label: 'throughput, relative', unit: '' },
  series: ['A', 'B'],
  place: ([series = '', n]) => (series === 'other' ? null : { series, x: Number(n) }),
  value: (values) => values[0] ?? NaN,
};
const sample = (words: string, value: number) => ({
  words: words.split('/'),
  values: Float64Array.of(value),
});

describe('curves', () => {
  it('have the interval of Student about the mean of the seeds', () => {
    // Five values with mean 3 and variance 2.5: 2.776 × √0.5.
    const p = summary(7, [1, 2, 3, 4, 5]);
    expect(p).toMatchObject({ x: 7, y: 3, n: 5 });
    expect(p.high - 3).toBeCloseTo(2.776 * Math.sqrt(0.5), 9);
    expect(summary(7, [4])).toEqual({ x: 7, y: 4, low: 4, high: 4, n: 1 });
  });
  it('are read off at their points; over time at the latest before, while they last', () => {
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
  it('are sorted, in the order of the series, without what does not belong or is no number', () => {
    const samples = [
      sample('B/2', 5),
      sample('A/9', 1),
      sample('A/3', 2),
      sample('other/3', 8),
      sample('A/5', NaN),
    ];
    const shape = curvesOf(spec, samples).map((c) => [c.name, c.points.map((p) => [p.x, p.y])]);
    expect(shape).toEqual([
      [
        'A',
        [
          [3, 2],
          [9, 1],
        ],
      ],
      ['B', [[2, 5]]],
    ]);
  });
  it('that are relative wait for what they are relative to', () => {
    const relative = { ...spec, relativeTo: { series: 'A', x: 1 } };
    const b = sample('B/1', 6);
    expect(curvesOf(relative, [b])).toEqual([]);
    const both = curvesOf(relative, [b, sample('A/1', 3)]);
    expect(both.map((c) => c.points[0]?.y)).toEqual([1, 2]);
  });
  it('become a table in which commas are quoted', () => {
    const text = curvesCsv(spec, [published('one, two', 0, 'stated', [[1, 2.5]])]);
    expect(text).toBe(
      'instances,curve,kind,"throughput, relative",low,high,seeds\r\n1,"one, two",stated,2.5,2.5,2.5,1\r\n',
    );
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
