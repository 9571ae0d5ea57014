// Generated from the core; do not edit.

/**
 * A cause that takes part of a thread's CPU time.
 */
export type CauseEntry = {
/**
 * Id, e.g. `sibling`.
 */
id: string,
/**
 * Label.
 */
name: string,
/**
 * What it is, in a sentence.
 */
summary: string, };
