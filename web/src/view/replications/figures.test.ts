import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as claims from '../../sim/pkg/claims_wasm';
import type { Run } from '../../sim/sweep/run';
import { curvesOf } from './curves';
import { PAGES } from './experiments';
import { switchesOf } from './experiments/s1';
import { BEGINS_NS, REQUESTS } from './experiments/s2';
import { CREATION_NS } from './experiments/s2-cores';
import { cellsOf, extremes, figureCsv, type HeatSpec, indexAt, isChart, mapsOf } from './figures';
import { some, stretches, type TableSpec } from './figures';

const heat: HeatSpec = {
  kind: 'heat',
  id: 'q',
  title: 'Queues',
  definition: '',
  x: { label: 'time (s)' },
  series: ['A', 'B'],
  fair: 2,
  place: ([series = '']) => (series === 'other' ? null : { series, x: 0 }),
  // Pairs of time and two queues.
  grid: (values) => {
    const all = Array.from(values);
    const rows = Array.from({ length: all.length / 3 }, (_, i) => all.slice(3 * i, 3 * i + 3));
    return { times: rows.map((r) => r[0] ?? 0), lengths: rows.map((r) => r.slice(1)) };
  },
};
const sample = (words: string, ...values: number[]) => ({
  words: words.split('/'),
  values: Float64Array.from(values),
});

describe('maps of queues', () => {
  it('show the lowest seed of each series, in the order of the series', () => {
    const samples = [
      sample('B/10', 0, 7, 7),
      sample('B/2', 0, 1, 2, 5, 1, 4),
      sample('other/1', 0, 9, 9),
      sample('A/1', 0, 3, 3),
    ];
    const maps = mapsOf(heat, samples);
    expect(maps.map((m) => m.name)).toEqual(['A', 'B']);
    const grid = maps[1]?.grid ?? { times: [], lengths: [] };
    expect(extremes(grid, 1)).toEqual({ most: 4, least: 1, mean: 2.5 });
    expect(stretches(grid, 0)).toEqual([[0, 2, 1]]);
    expect(stretches(grid, 1)).toEqual([
      [0, 1, 2],
      [1, 2, 4],
    ]);
    expect(figureCsv(heat, samples).split('\r\n')).toEqual([
      'scheduler,time (s),core 0,core 1',
      'A,0,3,3',
      'B,0,1,2',
      'B,5,1,4',
      '',
    ]);
  });
  it('are read off at the last time that is not later', () => {
    expect([-1, 0, 4, 5, 9].map((x) => indexAt([0, 5, 8], x))).toEqual([0, 0, 0, 1, 2]);
    expect(some([1, 2, 3], 5)).toEqual([1, 2, 3]);
    expect(some([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6]);
  });
});

describe('a table of a source', () => {
  const table: TableSpec = {
    kind: 'table',
    id: 't',
    title: 'T',
    definition: '',
    columns: ['CFS', 'ULE'],
    rows: [{ label: 'time, whole', unit: 's', published: [257, 185] }],
    place: () => ({ series: '', x: 0 }),
    cells: (values, words) => [
      { row: 0, column: words[0] === 'cfs' ? 0 : 1, value: values[0] ?? NaN },
    ],
  };
  it('collects the seeds of each cell and leaves out what is no number', () => {
    const samples = [sample('cfs/1', 4), sample('cfs/2', 6), sample('ule/1', NaN)];
    expect(cellsOf(table, samples)).toEqual([[[4, 6], []]]);
    expect(figureCsv(table, samples).split('\r\n')).toEqual([
      'row,unit,column,published,simulated,seeds',
      '"time, whole",s,CFS,257,5,2',
      '"time, whole",s,ULE,185,,0',
      '',
    ]);
  });
});

describe('the pages', () => {
  it('have words of their own, and figures of their own', () => {
    expect(new Set(PAGES.map((p) => p.id)).size).toBe(PAGES.length);
    for (const page of PAGES) {
      expect(new Set(page.charts.map((c) => c.id)).size, page.id).toBe(page.charts.length);
      expect(page.moment.look.length, page.id).toBeGreaterThan(40);
    }
  });
  it('repeat numbers of the core, and those are the same', () => {
    claims.initSync({
      module: readFileSync(`${import.meta.dirname}/../../sim/pkg/claims_wasm_bg.wasm`),
    });
    const judge = new claims.Judge(1, 60);
    const runsOf = (experiment: string) => JSON.parse(judge.runs(experiment)) as Run[];
    const set = (run: Run, pointer: string) => run.set.find(([p]) => p === pointer)?.[1];
    for (const run of runsOf('S1')) {
      const n = Number(run.key.split('/')[3]);
      const yields = set(run, '/groups/0/behaviour/params/yields');
      expect(Number(yields) * n, run.key).toBe(switchesOf(n));
    }
    for (const run of runsOf('S2')) {
      const claim = run.key.split('/')[1];
      if (claim === 'b') {
        expect(set(run, '/groups/1/behaviour/params/requests')).toBe(REQUESTS);
        expect(set(run, '/groups/1/startNs')).toBe(BEGINS_NS);
      }
      if (claim === 'd') expect(run.at[0]).toBe(CREATION_NS);
    }
    judge.free();
  });
  it('curves over time have a mean over seeds at each time', () => {
    const chart = PAGES.find((p) => p.id === 's2c')?.charts.find((c) => c.id === 'moves');
    if (!chart || !isChart(chart)) throw new Error('S2c shows its moves');
    const look = (t: number, moves: number) => [t, moves, 0, ...Array<number>(32).fill(16)];
    const run = (seed: number, from: number, moves: number) =>
      sample(`c/cfs//${String(seed)}`, ...look(from, 0), ...look(from + 4e6, moves));
    const [curve] = curvesOf(chart, [run(1, 5e9, 90), run(2, 5.1e9, 110)]);
    // Time counts from the release, which the seed moves.
    expect(curve?.points.map((p) => [p.x, p.y, p.n])).toEqual([[0.004, 100, 2]]);
  });
});
