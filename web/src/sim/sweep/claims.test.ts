/** The judge of the built package: the simulation accepts its runs, and their pages have words. */
import { describe, expect, it } from 'vitest';
import * as core from '../pkg/sim_wasm';
import { checked } from '../test-core';
import { judgeOf } from './judge';

const pages = (JSON.parse(new core.Judge(1, 60).pages()) as { id: string }[]).map((p) => p.id);
const judge = () => judgeOf(new core.Judge(1, 60));

describe('the published claims in the page', () => {
  it.each(pages)('%s: each kind of run is a valid scenario, as published and changed', (page) => {
    const all = judge();
    expect(all.evaluate(page)).toEqual([]);
    for (const { id } of [{ id: '' }, ...all.whatIfs(page)]) {
      const runs = judge().runs(page, id);
      expect(runs.length, id).toBeGreaterThan(0);
      for (const run of runs.filter((_, i) => i % 37 === 0)) {
        expect(checked(JSON.parse(run.scenario)).errors, `${id} ${run.key}`).toEqual([]);
      }
    }
  });

  it.each(pages)('%s: figures show the published values before any run', (page) => {
    const figures = judge().figures(page);
    expect(figures.length).toBeGreaterThan(0);
    for (const { series } of figures) for (const s of series) expect(s.points).toEqual([]);
  });

  it('an unknown id is named', () => {
    expect(() => judge().runs('nowhere', '')).toThrow(/nowhere/);
    expect(() => judge().runs('s1', 'nothing')).toThrow(/nothing/);
  });

  it('runs make points, which have the keys of their runs', () => {
    const all = judge();
    // Values are relative to one process, so two runs are enough.
    const runs = all.runs('s1', '').filter(({ key }) => /^S1\/up2007-100\/\w+\/1$/.test(key));
    expect(runs).toHaveLength(2);
    for (const { key, scenario, columns, at } of runs) {
      const seen = core.run(scenario, columns, Float64Array.from(at));
      all.add(key, seen.columns, seen.values);
    }
    const series = all.figures('s1').flatMap((f) => f.series);
    const keys = series.flatMap((s) => s.points.flatMap((p) => p.keys));
    expect(keys.sort()).toEqual(runs.map((run) => run.key).sort());
  });
});
