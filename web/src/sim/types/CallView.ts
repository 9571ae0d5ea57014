// Generated from the core; do not edit.
import type { ExecutedLine } from "./ExecutedLine";

/**
 * A function of a program that was called.
 */
export type CallView = {
/**
 * The call as it is written: `pick(cpu 3)`.
 */
call: string,
/**
 * What it answered; nothing where it ended with an error.
 */
answer: string | null,
/**
 * The lines in the order in which they were executed.
 */
steps: Array<ExecutedLine>, };
