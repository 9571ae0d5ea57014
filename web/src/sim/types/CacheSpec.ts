// Generated from the core; do not edit.
import type { CacheScope } from "./CacheScope";
import type { Replacement } from "./Replacement";

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
 * Associativity; 0 if it is not known.
 */
ways: number,
/**
 * Load latency: what a pointer chase of the kernel's own pays. Streaming costs `linePs`.
 */
latencyCycles: number,
/**
 * Time to stream one 64-byte line from this level, including writing back, in ps; 0 for level 1.
 */
linePs: number,
/**
 * What remains of a set that does not fit.
 */
replacement: Replacement,
/**
 * Whether it holds nothing that the level inside holds: the sizes of both add up for one thread.
 */
exclusive: boolean,
/**
 * `linePs` times this, in thousandths, while another core of the package streams from this level too:
 * for caches behind one port.
 */
portMilli: number,
/**
 * Kinds of cores that have it; all if left out.
 */
kinds: Array<string>, };
