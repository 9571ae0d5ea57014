import { describe, expect, it } from 'vitest';
import type { Heat, Table } from '../../state/replications/replication.svelte';
import { PAGES } from './experiments';
import {
  extremes,
  figureCsv,
  hasRuns,
  indexAt,
  isEmpty,
  keysAt,
  mapsOf,
  momentAt,
  some,
  stretches,
} from './figures';
import { chartOf, seriesOf } from './made-up';

const none = { label: '', unit: '', log: false };
const text = { id: 'f', title: 'F', definition: '', x: { ...none, label: 'time (s)' }, y: none };
const heat: Heat = {
  ...text,
  kind: 'heat',
  fair: 2,
  moment: { originNs: 5e9, perXNs: 1e9 },
  series: [
    seriesOf('A', []),
    {
      ...seriesOf('B', [
        [0, 0, null],
        [5, 0, null],
      ]),
      rows: [
        [1, 2],
        [1, 4],
      ],
      mark: { x: 3, label: 'four minutes' },
    },
  ],
};
const table: Table = {
  ...text,
  kind: 'table',
  rowLabels: [
    { label: 'time, whole', unit: 's' },
    { label: 'moves', unit: '' },
  ],
  series: [
    seriesOf('CFS', [[0, 5, 0.25]], { published: [[0, 257]] }),
    seriesOf('ULE', [], { published: [[0, 185]] }),
  ],
};

describe('maps of queues', () => {
  it('have spans of constant length, and extremes', () => {
    const [map, ...others] = mapsOf(heat);
    if (!map) throw new Error('there is one');
    expect([map.label, map.times, map.mark?.x, others]).toEqual(['B', [0, 5], 3, []]);
    expect(extremes(map, 1)).toEqual({ most: 4, least: 1 });
    expect(stretches(map, 0)).toEqual([[0, 2, 1]]);
    expect(stretches(map, 1)).toEqual([
      [0, 1, 2],
      [1, 2, 4],
    ]);
    expect(figureCsv(heat).split('\r\n')).toEqual([
      'scheduler,time (s),core 0,core 1',
      'B,0,1,2',
      'B,5,1,4',
      '',
    ]);
  });
  it('are read at the last time that is not later', () => {
    expect([-1, 0, 4, 5, 9].map((x) => indexAt([0, 5, 8], x))).toEqual([0, 0, 0, 1, 2]);
    expect(some([1, 2, 3], 5)).toEqual([1, 2, 3]);
    expect(some([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([0, 3, 6]);
  });
});

describe('a table of a source', () => {
  it('becomes a file with published values beside results', () => {
    expect(figureCsv(table).split('\r\n')).toEqual([
      'row,unit,column,published,simulated,half of the interval,seeds',
      '"time, whole",s,CFS,257,5,0.25,5',
      '"time, whole",s,ULE,185,,,0',
      'moves,,CFS,,,,0',
      'moves,,ULE,,,,0',
      '',
    ]);
  });
});

describe('a place in a figure', () => {
  const a = seriesOf('A', [
    [1, 2, 0],
    [5, 3, 0],
  ]);
  it('opens one run for each line', () => {
    expect(keysAt(chartOf([a, seriesOf('B', [[5, 1, 0]])]), 5)).toEqual(['A/5/1', 'B/5/1']);
    expect(keysAt(chartOf([a]), 3)).toEqual([]);
    expect(keysAt(heat, 2)).toEqual(['B/0/1']);
    expect(keysAt(table, 0)).toEqual(['CFS/0/1']);
  });
  it('over time opens the runs of its line, whatever the moment', () => {
    const points = a.points.map((p, i) => (i === 0 ? p : { ...p, keys: [] }));
    const over = chartOf([{ ...a, points }], { kind: 'overTime' });
    expect([0, 3, 9].map((x) => keysAt(over, x))).toEqual([['A/1/1'], ['A/1/1'], ['A/1/1']]);
  });
  it('is a moment of the run if the judge names one', () => {
    expect(momentAt(heat, 2)).toBe(7e9);
    expect(momentAt(table, 0)).toBeNull();
  });
  it('does not exist before there are results', () => {
    const published = seriesOf('A', [], { published: [[1, 1]] });
    expect([isEmpty(chartOf([published])), hasRuns(chartOf([published]))]).toEqual([false, false]);
    expect(isEmpty(chartOf([seriesOf('A', [])]))).toBe(true);
    expect(isEmpty({ ...heat, series: [] })).toBe(true);
    expect([isEmpty(table), hasRuns(table)]).toEqual([false, true]);
  });
});

describe('the pages', () => {
  it('have words of their own', () => {
    expect(new Set(PAGES.map((p) => p.id)).size).toBe(PAGES.length);
    for (const page of PAGES) expect(page.look.length, page.id).toBeGreaterThan(40);
  });
});
