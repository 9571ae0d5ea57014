/** The packages of the page against what the command line wrote: the same numbers, digit by digit. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import released from '../../../../scenarios/verdicts.json';
import * as claims from '../pkg/claims_wasm';
import * as core from '../pkg/sim_wasm';
import { checked, realCore } from '../test-core';
import type { Catalog } from '../types/Catalog';
import { changed, type Run, scenarioOf, type WhatIf } from './run';

claims.initSync({
  module: readFileSync(`${import.meta.dirname}/../pkg/claims_wasm_bg.wasm`),
});
const { scenarios } = JSON.parse(realCore.catalog()) as Catalog;

function runsOf(experiment: string): { judge: claims.Judge; runs: Run[] } {
  const judge = new claims.Judge(5, 60);
  return { judge, runs: JSON.parse(judge.runs(experiment)) as Run[] };
}

function scenario(run: Run) {
  const base = scenarios.find((s) => s.id === run.scenario);
  if (!base) throw new Error(`no scenario ${run.scenario}`);
  return scenarioOf(run, base.scenario);
}

describe('the published claims in the page', () => {
  it.each(['S0', 'S1', 'S2', 'S3', 'S4'])(
    '%s: each kind of run is a valid scenario',
    (experiment) => {
      const { judge, runs } = runsOf(experiment);
      expect(judge.evaluate(experiment)).toBe('[]');
      for (const run of runs.filter((_, i) => i % 37 === 0)) {
        expect(checked(scenario(run)).errors, run.key).toEqual([]);
      }
      judge.free();
    },
  );

  // The limit is for machines that do much else at once.
  it('S1: every number is that of the command line', () => {
    const { judge, runs } = runsOf('S1');
    for (const run of runs) {
      judge.add(
        run.key,
        core.run(JSON.stringify(scenario(run)), run.probe, Float64Array.from(run.at)),
      );
    }
    const here = JSON.parse(judge.evaluate('S1')) as unknown[];
    expect(here).toHaveLength(6);
    expect(here).toEqual(released.filter((c) => c.experiment === 'S1'));
    judge.free();
  }, 60_000);

  it('a change reaches the scheduler that it is about, and no other', () => {
    const run = runsOf('S0').runs[0];
    if (!run) throw new Error('S0 has runs');
    const what: WhatIf = { label: '', tunables: { [run.scheduler.id]: { x: 1 }, other: { y: 2 } } };
    expect(changed(run, what).scheduler.tunables).toEqual({ x: 1 });
    expect(run.scheduler.tunables).toEqual({});
    expect(changed(run, { label: '', set: [['/seed', 9]] }).set.at(-1)).toEqual(['/seed', 9]);
  });
});
