/** What the pool and its workers say to each other: one run asked for, one answer. */

/** Name of a worker that carries out runs and does nothing else, where it might. */
export const RUNS = 'runs';

/** A run to carry out: the first scheduler of a scenario, and what to read off it. */
export interface Job {
  readonly id: number;
  /** JSON of the scenario. */
  readonly scenario: string;
  /** Id of the core's probe. */
  readonly probe: string;
  /** Times in ns at which the probe looks, besides the end. */
  readonly at: readonly number[];
}

/** What a run gave: values, look after look, and what the columns of a look are called. */
export interface Seen {
  readonly columns: readonly string[];
  readonly values: Float64Array;
}

/** The answer to a job. */
export type Outcome =
  | (Seen & { readonly id: number })
  /** The core refused the scenario, or broke; a broken worker must be thrown away. */
  | { readonly id: number; readonly error: string; readonly broken: boolean };
