/** The prose of a page about a published experiment. Runs, figures and verdicts come from the judge. */

export interface ExperimentPage {
  /** The page's name in links and for the judge. */
  readonly id: string;
  readonly title: string;
  /** What the simulation confirms, in one short sentence; the verdicts of this release bear it out. */
  readonly learnt: string;
  readonly source: string;
  readonly machine: string;
  readonly era: string;
  readonly workload: string;
  readonly metric: string;
  /** What is not reproduced, or not known. */
  readonly note: string;
  /** Advice for the reader when a point opens its runs. */
  readonly look: string;
}
