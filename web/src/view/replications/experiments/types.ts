/** What a page about a published experiment consists of: one file each, one line in `index.ts`. */
import type { WhatIf } from '../../../state/replication.svelte';
import type { Moment } from '../curves';
import type { Figure } from '../figures';

export interface ExperimentPage {
  /** Word in the link. */
  readonly id: string;
  /** Id of the core's experiment. */
  readonly experiment: string;
  readonly title: string;
  readonly source: string;
  readonly machine: string;
  readonly era: string;
  readonly workload: string;
  readonly metric: string;
  /** What is not reproduced, or not known. */
  readonly note: string;
  /** Of the experiment's runs, those that this page is about; by the words of their keys. */
  wants(words: readonly string[]): boolean;
  /** Ids of the claims that this page is about. */
  claims(id: string): boolean;
  readonly charts: readonly Figure[];
  /** When a point opens the run behind it, and what to look at there. */
  readonly moment: Moment;
  readonly whatIf: readonly WhatIf[];
}
