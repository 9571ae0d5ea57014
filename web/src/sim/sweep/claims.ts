/** What the judge says, as data: runs, series for charts, verdicts, numbers. `sim-core/src/experiment` writes it. */

/** A mean over seeds. */
export interface Estimate {
  readonly mean: number;
  /** Half of the 95 % confidence interval (Student's t); null with one seed. */
  readonly half: number | null;
  /** Seeds. */
  readonly n: number;
}

/** How published numbers came about. */
export type Provenance = 'measured' | 'stated' | 'inferred' | '';

/** A place on a series, and the runs behind it. */
export interface SeriesPoint {
  readonly x: number;
  readonly estimate: Estimate;
  /** Keys of the runs; left out where those of the series hold. */
  readonly keys?: readonly string[];
}

/** How far a supposition moves a series. */
export interface Band {
  /** What is supposed, with its range. */
  readonly label: string;
  readonly points: readonly (readonly [x: number, low: number, high: number])[];
}

/** A line of a chart, or a column of a table. */
export interface Series {
  readonly id: string;
  readonly label: string;
  readonly scheduler: string;
  readonly unit: string;
  readonly points: readonly SeriesPoint[];
  readonly published: readonly (readonly [x: number, y: number])[];
  readonly provenance: Provenance;
  readonly keys?: readonly string[];
  readonly band?: Band | null;
}

/** Queues of all cores over time in one run. */
export interface HeatMap {
  readonly id: string;
  readonly label: string;
  readonly scheduler: string;
  readonly keys: readonly string[];
  /** Ascending places on the x axis. */
  readonly times: readonly number[];
  /** For each time the length of every queue. */
  readonly values: readonly (readonly number[])[];
  /** A moment that the source names. */
  readonly mark?: { readonly x: number; readonly label: string } | null;
}

interface FigureBase {
  readonly id: string;
  readonly title: string;
  /** What is on the y axis, in a sentence. */
  readonly definition: string;
  readonly x: { readonly label: string; readonly log?: boolean };
  readonly y: { readonly label: string; readonly unit: string; readonly log?: boolean };
  /** Time of the runs that a place on the x axis opens: `originNs + x × perXNs`. */
  readonly moment?: { readonly originNs: number; readonly perXNs: number } | null;
  readonly series: readonly Series[];
}

/** Lines. */
export interface Chart extends FigureBase {
  readonly kind: 'curves';
  /** Whether x is the time of a run. */
  readonly overTime?: boolean;
}

/** Maps of queues. */
export interface Heat extends FigureBase {
  readonly kind: 'heat';
  /** What every queue would have if all were equal. */
  readonly fair: number;
  readonly maps: readonly HeatMap[];
}

/** A table: a series for each column, x is the number of the row. */
export interface Table extends FigureBase {
  readonly kind: 'table';
  readonly rows: readonly { readonly label: string; readonly unit: string }[];
}

export type Figure = Chart | Heat | Table;

export type Verdict = 'holds' | 'fails' | 'undecided' | 'unavailable';

/** A number that a claim is about; `null` for what is not known. */
export interface Measure {
  readonly name: string;
  /** What is measured, in a word. */
  readonly measure: string;
  readonly value: number | null;
  /** Half of the 95 % confidence interval over the seeds. */
  readonly half: number | null;
  readonly seeds: number;
  readonly published: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The bound in words, as the core writes it. */
  readonly text: string;
  readonly verdict: Verdict;
}

/** A claim with its verdict. */
export interface Evaluation {
  readonly id: string;
  readonly experiment: string;
  /** Page on which it stands. */
  readonly page: string;
  readonly kind: 'validation' | 'verification';
  readonly statement: string;
  readonly source: string;
  /** Which input was taken from the page of the source; absent if none was. */
  readonly circular?: string;
  /** What has to hold, as the core writes it from the bounds. */
  readonly acceptance: string;
  readonly suspected?: string;
  readonly verdict: Verdict;
  readonly measures: readonly Measure[];
  /** What was expected and found, in a sentence. */
  readonly found: string;
  readonly note: string;
}

/** A published number beside what the simulation gives. */
export interface NumberRow {
  readonly source: string;
  readonly claim: string;
  readonly name: string;
  readonly published: number;
  readonly simulated: number;
  readonly relativeError: number;
}

/** A source with the mean of the relative errors of its numbers, without their signs. */
export interface SourceRow {
  readonly source: string;
  readonly n: number;
  readonly meanRelativeError: number;
}

/** All published numbers. */
export interface Numbers {
  readonly numbers: readonly NumberRow[];
  readonly sources: readonly SourceRow[];
}

/** `scenarios/verdicts.json`: what the release gives, before anybody runs anything. */
export interface Released extends Numbers {
  readonly seeds: number;
  readonly claims: readonly Evaluation[];
  /** What all runs of a page cost, in a unit of no meaning. */
  readonly costs?: Readonly<Record<string, number>>;
}

/** A run to carry out. */
export interface Run {
  readonly key: string;
  /** What distinguishes it, for people. */
  readonly words: string;
  /** The whole scenario, as JSON text. */
  readonly scenario: string;
  /** Id of the shipped scenario that it was made from. */
  readonly base: string;
  /** Id of the probe, which names its columns. */
  readonly columns: string;
  /** Times in ns at which the probe looks, besides the end. */
  readonly at: readonly number[];
}

/** A change to the runs of a page: what if. */
export interface WhatIf {
  readonly id: string;
  readonly label: string;
}
