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
smt: number,
/**
 * Cores of each cluster, for caches that a few cores share (`per: "cluster"`).
 */
cluster: number,
/**
 * Kind of core on hybrid machines, e.g. `P` and `E`; empty where all are alike.
 */
kind: string,
/**
 * Compute speed relative to the nominal clock's, in thousandths.
 */
speedMilli: number,
/**
 * What Linux takes the work of a context for, in 1024ths of the largest (`arch_scale_cpu_capacity`); 1024 if left out.
 */
capacity?: number, };
