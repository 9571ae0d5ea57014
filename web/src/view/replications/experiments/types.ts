/** What a page about a published experiment says: prose. Runs, figures and verdicts are the judge's. */

export interface ExperimentPage {
  /** Word in the link, and name of the page to the judge. */
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly machine: string;
  readonly era: string;
  readonly workload: string;
  readonly metric: string;
  /** What is not reproduced, or not known. */
  readonly note: string;
  /** What to look at where a point opens its runs. */
  readonly look: string;
}
