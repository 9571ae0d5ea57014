// Generated from the core; do not edit.

/**
 * Which instance of a cache each CPU uses.
 */
export type CacheTree = {
/**
 * 1, 2, 3.
 */
level: number,
/**
 * Size of an instance.
 */
bytes: number,
/**
 * Instance of each CPU, numbered over all caches of the machine; -1 for CPUs that have none.
 */
instance: Array<number>, };
