/**
 * The claims package: the runs that a page needs, and the figures and verdicts from their results. Loaded with the
 * first page that needs it.
 */
import init, { estimate, Judge as Package, provideClaims } from '../pkg/claims_wasm';
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

/** The judge of the package, with its texts read. */
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

let provided: Promise<void> | null = null;

/** The data of the claims: a file beside the package. */
async function claimsData(): Promise<string> {
  const response = await fetch(new URL('../pkg/claims.json', import.meta.url));
  if (!response.ok) throw new Error(`the claims did not load: ${String(response.status)}`);
  return response.text();
}

/** Loads the package, and gives it the data. */
async function provide(): Promise<void> {
  const [text] = await Promise.all([claimsData(), init()]);
  provideClaims(text);
}

/** Loads the package with its data, and makes a judge of runs with this many seeds. */
export async function makeJudge(seeds: number): Promise<Judge> {
  provided ??= provide();
  try {
    await provided;
  } catch (error) {
    // The network may be back at the next attempt.
    provided = null;
    throw error;
  }
  return judgeOf(new Package(seeds, RUN_SECONDS));
}

/** Loads the package and returns its function for averages. */
export async function makeEstimator(): Promise<Estimator> {
  await init();
  return (values) => JSON.parse(estimate(Float64Array.from(values))) as Estimate;
}
