// Generated from the core; do not edit.
import type { CallView } from "./CallView";
import type { CandidateView } from "./CandidateView";
import type { OperandView } from "./OperandView";

/**
 * A decision for display.
 */
export type DecisionView = {
/**
 * Number, from 0.
 */
id: number,
/**
 * When.
 */
atNs: number,
/**
 * The CPU that it is about.
 */
cpu: number | null,
/**
 * The thread that it is about.
 */
task: number | null,
/**
 * Its name.
 */
taskName: string | null,
/**
 * Kind: `selectCpu`, `pickNext`, …
 */
kind: string,
/**
 * The kernel's word.
 */
reason: string,
/**
 * Kernel function and release.
 */
kernel: string,
/**
 * The numbers of the rule.
 */
operands: Array<OperandView>,
/**
 * The candidates; empty unless requested.
 */
candidates: Array<CandidateView>,
/**
 * What the scheduler said of it; only with the candidates, and only from one that says something.
 */
said?: string,
/**
 * The calls of its program that led to it, in order; only with the candidates, and only from a scheduler with one.
 */
calls?: Array<CallView>, };
