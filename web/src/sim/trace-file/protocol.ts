/**
 * The messages between the page and a worker that reads one trace of a real machine: one file in, several answers out.
 * Who cancels ends the worker.
 */
import type { DecisionView } from '../types/DecisionView';
import type { Scenario } from '../types/Scenario';

/** Name of such a worker. */
export const TRACES = 'traces';

/** Page → worker. */
export interface TraceRequest {
  readonly file: Blob;
  /** Name of the scenario. */
  readonly name: string;
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

/** Worker → page, in this order; after an error nothing more comes. */
export type TraceReply =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'verdict'; readonly verdict: Verdict | null }
  | { readonly kind: 'asked'; readonly asked: Asked }
  /** The rules cannot be asked about this trace. */
  | { readonly kind: 'unasked'; readonly message: string }
  | { readonly kind: 'refused'; readonly line: number | null; readonly message: string };
