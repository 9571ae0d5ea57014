// Generated from the core; do not edit.

/**
 * An edit as files have it: with either `set` or `copy`.
 */
export type TimedEdit = {
/**
 * Simulated time of the change.
 */
atNs: number,
/**
 * The property that changes, by its path, and its new value, e.g. `{ "groups.hog.nice": 5 }`.
 */
set?: { [path: string]: number | boolean | string | number[] | null },
/**
 * Instead of `set`: the thread with this name, e.g. `dhry-3`, of which one more is started, with its behaviour and
 * its present nice value, working set and affinity. If it has not been forked yet, the edit waits for it.
 */
copy?: string,
/**
 * Position of the only lane that it concerns; all lanes if left out.
 */
lane?: number, };
