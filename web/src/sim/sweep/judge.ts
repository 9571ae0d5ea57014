/**
 * The judge of the published claims: the runs that a page needs, and the figures and verdicts from their results. It is
 * on the page's own thread, in an instance of the core that a worker compiled.
 */
import { compiledCore } from '../compiled-core';
import init, { estimate, Judge as Package } from '../pkg/sim_wasm';
import type { Estimate, Evaluation, Figure, Numbers, Run, WhatIf } from './claims';

/** The judge as pages use it; tests have one of their own. */
export interface Judge {
  /** The changes of a page. */
  whatIfs(page: string): readonly WhatIf[];
  /** The runs of a page with one of its changes; as published if that is empty. */
  runs(page: string, whatIf: string): readonly Run[];
  /** Takes what a run gave. */
  add(key: string, columns: readonly string[], values: Float64Array): void;
  /** The figures of a page with the results so far; published values are always in them. */
  figures(page: string): readonly Figure[];
  /** The claims of a page whose runs are all done. */
  evaluate(page: string): readonly Evaluation[];
  /** The published numbers beside the results so far. */
  numbers(): Numbers;
}

/** Mean and interval of the values of several seeds. */
export type Estimator = (values: readonly number[]) => Estimate;

/** Simulated seconds of runs that have no end of their own, as on the command line. */
const RUN_SECONDS = 60;

/** The judge of the core, with its texts read. */
export function judgeOf(inner: Package): Judge {
  return {
    whatIfs: (page) => JSON.parse(inner.whatIfs(page)) as WhatIf[],
    runs: (page, whatIf) =>
      (JSON.parse(inner.runs(page, whatIf)) as Omit<Run, 'words'>[]).map((run) => ({
        ...run,
        words: run.key.split('/').slice(1),
      })),
    add: (key, columns, values) => {
      inner.add(key, columns.join('\n'), values);
    },
    figures: (page) => JSON.parse(inner.figures(page)) as Figure[],
    evaluate: (page) => JSON.parse(inner.evaluate(page)) as Evaluation[],
    numbers: () => JSON.parse(inner.numbers()) as Numbers,
  };
}

let loading: Promise<unknown> | null = null;

/** Loads the core on this thread, once. */
async function load(): Promise<void> {
  const { module } = compiledCore;
  // A browser in which workers cannot send the core compiles it once more.
  loading ??= module ? init({ module_or_path: module }) : init();
  try {
    await loading;
  } catch (error) {
    // The network may be back at the next attempt.
    loading = null;
    throw error;
  }
}

/** Makes a judge of runs with this many seeds. */
export async function makeJudge(seeds: number): Promise<Judge> {
  await load();
  return judgeOf(new Package(seeds, RUN_SECONDS));
}

/** The core's function for averages. */
export async function makeEstimator(): Promise<Estimator> {
  await load();
  return (values) => JSON.parse(estimate(Float64Array.from(values))) as Estimate;
}
