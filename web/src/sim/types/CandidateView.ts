// Generated from the core; do not edit.

/**
 * A CPU or thread that might have been chosen.
 */
export type CandidateView = {
/**
 * CPU, where CPUs were compared.
 */
cpu: number | null,
/**
 * Thread, where threads were compared, or the one that runs on the CPU.
 */
task: number | null,
/**
 * Its name.
 */
name: string | null,
/**
 * The score.
 */
score: number,
/**
 * What the score consists of.
 */
note: string,
/**
 * Whether it was taken.
 */
chosen: boolean, };
