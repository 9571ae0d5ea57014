/**
 * The messages between the page and a worker that reads one file of a real machine: one file in, several answers out.
 * Who cancels ends the worker.
 */
import type { DecisionView } from '../types/DecisionView';
import type { Scenario } from '../types/Scenario';

/** Name of such a worker. */
export const TRACES = 'traces';

/** Page → worker. */
export interface TraceRequest {
  readonly file: Blob;
  readonly what: 'trace' | 'workload' | 'program' | 'run';
  /** Name of the scenario. */
  readonly name: string;
  /** The part of a trace that is wanted; all of it if left out. */
  readonly part?: Part;
}

/** A part of a trace, in ns from its first event. */
export interface Part {
  readonly fromNs: number;
  readonly toNs: number;
}

/** How a comparison may be believed. */
export type Trust = 'close' | 'rough' | 'notComparable';

/** The verdict on the model's lane, and on what it rests. */
export interface Verdict {
  /** The worst of the four. */
  readonly trust: Trust;
  readonly cpu: Trust;
  readonly delays: Trust;
  readonly switches: Trust;
  readonly moves: Trust;
}

/** How choices stand. */
export interface Count {
  readonly right: number;
  readonly near: number;
  readonly wrong: number;
}

/** A thread in the queue when a choice was made; times in ns of virtual time. */
export interface Standing {
  readonly thread: string;
  readonly lagNs: number;
  readonly deadlineNs: number;
  readonly sliceNs: number;
  readonly runs: boolean;
  readonly protected: boolean;
  readonly delayed: boolean;
}

/** A choice of the kernel that the rules do not make. */
export interface Disagreement {
  readonly atNs: number;
  readonly cpu: number;
  readonly about: 'pick' | 'goesOn' | 'preempts';
  readonly took: string;
  readonly rules: string;
  /** Whether the trace does not resolve it. */
  readonly near: boolean;
  readonly offByNs: number | null;
  readonly queue: readonly Standing[];
  /** The decision of the rules, where one tells it. */
  readonly decision: DecisionView | null;
}

/** What the rules say of all choices. */
export interface Asked {
  readonly threads: readonly string[];
  readonly picks: Count;
  readonly goesOn: Count;
  readonly preempts: Count;
  readonly alone: number;
  readonly missing: number;
  readonly disagreements: readonly Disagreement[];
}

/** A number with its 95 % interval, where there are several runs. */
export interface Estimate {
  readonly mean: number;
  readonly half?: number | null;
}

/** A measure on both sides. */
export interface Pair<T> {
  readonly here: T;
  readonly model: T;
}

/** Lengths of one kind: their median in ns, and the most frequent ones in whole ms with their part of all. */
export interface Lengths {
  readonly count: number;
  readonly median?: Estimate | null;
  readonly typical: readonly (readonly [number, number])[];
}

/** Lengths here, those of them that only threads of the run began and ended, and those of the model. */
export interface Both extends Pair<Lengths> {
  readonly uncut: Lengths;
}

/** A thread on both sides. */
export interface ComparedThread {
  readonly name: string;
  readonly share: Pair<Estimate | null>;
  readonly turns: Both;
  readonly waits: Both;
  /** How late it woke. */
  readonly latencies: Pair<Lengths>;
  /** Moves a second. */
  readonly moves: Pair<Estimate | null>;
}

/** What a machine said of itself. */
export interface AboutMachine {
  readonly release: string;
  readonly processor?: string | null;
  readonly online: number;
  readonly hz?: number | null;
  readonly preemption: string;
  readonly baseSliceNs?: number | null;
  readonly autogroup?: boolean | null;
  readonly virtual: boolean;
  readonly floorNs?: number | null;
}

/** What `timeslice real` kept, beside the nearest release of the model. */
export interface Compared {
  readonly about: AboutMachine;
  readonly cpus: readonly number[];
  readonly repeats: number;
  readonly ns: number;
  /** Time that others had, as a part; above a bound turns and waits are disturbed. */
  readonly foreign: number;
  /** Of it, what the host of a virtual machine took. */
  readonly stolen: number;
  readonly isDisturbed: boolean;
  readonly scheduler: string;
  readonly era: string;
  readonly rows: readonly ComparedThread[];
  /** The largest difference of a share. */
  readonly farthest: number;
}

/** A run for real beside the model; shares that differ by no more than `near` are those of a model that fits. */
export interface Beside {
  readonly scenario: Scenario;
  readonly compared: Compared;
  readonly near: number;
}

/** Something about a line of a program. */
export interface Note {
  readonly line: number;
  readonly text: string;
}

/** Something wrong with a file: a line of it, or a field. */
export interface Wrong {
  readonly line: number | null;
  readonly path: string;
  readonly message: string;
}

/** Worker → page, in this order; after an error nothing more comes. */
export type TraceReply =
  | { readonly kind: 'progress'; readonly bytes: number }
  /** `spanNs`: how long the trace is; null where the rest of it was not read, or there is none. */
  | { readonly kind: 'scenario'; readonly scenario: Scenario; readonly spanNs: number | null }
  /** The trace, or its part, is too long for a scenario; so much would fit. */
  | { readonly kind: 'tooLong'; readonly spanNs: number | null; readonly fitsNs: number }
  /** A program as a scenario, and what it does not say as the program does. */
  | { readonly kind: 'program'; readonly scenario: Scenario; readonly leftOut: readonly Note[] }
  | ({ readonly kind: 'run' } & Beside)
  | { readonly kind: 'verdict'; readonly verdict: Verdict | null }
  | { readonly kind: 'asked'; readonly asked: Asked }
  /** The rules cannot be asked about this trace. */
  | { readonly kind: 'unasked'; readonly message: string }
  | { readonly kind: 'refused'; readonly problems: readonly Wrong[] };
