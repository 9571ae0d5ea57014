// Generated from the core; do not edit.

/**
 * One or more equal cores.
 */
export type CoreSpec = {
/**
 * How many of these.
 */
count: number,
/**
 * SMT contexts of each core (1 = no SMT).
 */
smt: number, };
