/** The judge's output as data: runs, series for charts, verdicts, numbers. `sim-core/src/experiment` writes it. */

/** A mean over seeds. */
export interface Estimate {
  readonly mean: number;
  /** Half of the 95 % confidence interval (Student's t); null with one seed. */
  readonly half: number | null;
  /** Seeds. */
  readonly n: number;
}

/** The origin of a published number; a number of theory follows from a formula. */
export type Provenance = 'measured' | 'stated' | 'inferred' | 'theory' | '';

/** A place on a series, and the runs behind it. */
export interface SeriesPoint {
  readonly x: number;
  readonly estimate: Estimate;
  /** Keys of the runs; empty if those of the first point apply. */
  readonly keys: readonly string[];
}

/** How far an assumption moves a series. */
export interface Band {
  /** The assumption, with its range. */
  readonly label: string;
  readonly points: readonly (readonly [x: number, low: number, high: number])[];
}

/** A line of a chart, a column of a table, or a map. */
export interface Series {
  readonly id: string;
  readonly label: string;
  readonly scheduler: string;
  readonly unit: string;
  readonly points: readonly SeriesPoint[];
  readonly published: readonly (readonly [x: number, y: number])[];
  readonly provenance: Provenance;
  readonly band?: Band | null;
  /** For a map: the length of every queue at each point. */
  readonly rows?: readonly (readonly number[])[];
  /** For a map: a moment that the source names. */
  readonly mark?: { readonly x: number; readonly label: string } | null;
}

interface Axis {
  readonly label: string;
  readonly unit: string;
  readonly log: boolean;
}

interface FigureBase {
  readonly id: string;
  readonly title: string;
  /** The meaning of the y axis, in a sentence. */
  readonly definition: string;
  readonly x: Axis;
  readonly y: Axis;
  /** Time of the runs that a point on the x axis opens: `originNs + x × perXNs`. */
  readonly moment?: { readonly originNs: number; readonly perXNs: number } | null;
  readonly series: readonly Series[];
}

/** Lines; over time, a value holds until the next one. */
export interface Chart extends FigureBase {
  readonly kind: 'curves' | 'overTime';
}

/** A map of queues for each series: time across, a row for each core. */
export interface Heat extends FigureBase {
  readonly kind: 'heat';
  /** Length of every queue if all were equal. */
  readonly fair: number;
}

/** A table: one series for each column; x is the index of the row. */
export interface Table extends FigureBase {
  readonly kind: 'table';
  readonly rowLabels: readonly { readonly label: string; readonly unit: string }[];
}

export type Figure = Chart | Heat | Table;

export type Verdict = 'holds' | 'fails' | 'undecided' | 'unavailable';

/** A number that a claim is about; `null` if it is not known. */
export interface Measure {
  readonly name: string;
  /** The name of the measure. */
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
  /** Its value under other values of an assumption. */
  readonly band?: readonly {
    readonly what: string;
    readonly value: number | null;
    readonly verdict: Verdict;
  }[];
}

/** A claim with its verdict. */
export interface Evaluation {
  readonly id: string;
  readonly experiment: string;
  /** Page on which it stands. */
  readonly page: string;
  /** What it is compared with: a measurement, the numbers that an input came from, or the result of real code. */
  readonly kind: 'validation' | 'calibration' | 'verification';
  readonly statement: string;
  readonly source: string;
  /** Which input was taken from the page of the source; absent if none was. */
  readonly circular?: string;
  /** The condition, as the core writes it from the bounds. */
  readonly acceptance: string;
  readonly suspected?: string;
  readonly verdict: Verdict;
  readonly measures: readonly Measure[];
  /** The expectation and the result, in a sentence. */
  readonly found: string;
  readonly note: string;
}

/** A published number beside what the simulation gives. */
export interface NumberRow {
  /** Id of the experiment. */
  readonly source: string;
  readonly claim: string;
  readonly name: string;
  readonly published: number;
  readonly simulated: number | null;
  /** Null where zero is published. */
  readonly relativeError: number | null;
}

/** All published numbers. */
export interface Numbers {
  readonly numbers: readonly NumberRow[];
  /** By experiment: mean of the relative errors without their signs. */
  readonly meanErrors: Readonly<Record<string, number>>;
}

/** `scenarios/verdicts.json`: results of the release, before the reader runs anything. */
export interface Released extends Numbers {
  readonly seeds: number;
  readonly claims: readonly Evaluation[];
  /** Cost of all runs of a page, in an arbitrary unit. */
  readonly costs?: Readonly<Record<string, number>>;
}

/** A run to carry out. */
export interface Run {
  readonly key: string;
  /** Words that distinguish it from other runs. */
  readonly words: readonly string[];
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
