/** The messages between the pool and its workers: one run, one answer. */

/** Name of a worker that only carries out runs. */
export const RUNS = 'runs';

/** A run to carry out: the first scheduler of a scenario, and what to read from it. */
export interface Job {
  readonly id: number;
  /** JSON of the scenario. */
  readonly scenario: string;
  /** Id of the core's probe. */
  readonly probe: string;
  /** Times in ns at which the probe looks, besides the end. */
  readonly at: readonly number[];
  /** An expression of the measure language, for one more column; only without times. */
  readonly measure?: string | undefined;
}

/** The result of a run: values, look after look, and the names of a look's columns. */
export interface Seen {
  readonly columns: readonly string[];
  readonly values: Float64Array;
}

/** The answer to a job. */
export type Outcome =
  | (Seen & { readonly id: number })
  /** The core refused the scenario, or broke; a broken worker must be replaced. */
  | { readonly id: number; readonly error: string; readonly broken: boolean };
