// Generated from the core; do not edit.
import type { CacheScope } from "./CacheScope";

/**
 * A level of cache.
 */
export type CacheSpec = {
/**
 * 1, 2, 3.
 */
level: number,
/**
 * Size of one instance.
 */
bytes: number,
/**
 * What shares one instance.
 */
per: CacheScope,
/**
 * Associativity.
 */
ways: number,
/**
 * Load latency.
 */
latencyCycles: number, };
