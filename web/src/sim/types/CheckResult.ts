// Generated from the core; do not edit.

/**
 * What a check of a program gave.
 */
export type CheckResult = {
/**
 * What is measured, for people.
 */
say: string,
/**
 * Whether it holds.
 */
passed: boolean,
/**
 * What came.
 */
came: string,
/**
 * The turns that were wanted; else nothing.
 */
wanted: string | null,
/**
 * The least that was wanted, if there is one.
 */
atLeast: string | null,
/**
 * The most that was wanted, if there is one.
 */
atMost: string | null,
/**
 * The seed of the run that it is about: the first that fails, else the first.
 */
seed: number, };
