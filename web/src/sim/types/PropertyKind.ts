// Generated from the core; do not edit.
import type { BoundEntry } from "./BoundEntry";

/**
 * What the value of a property may be.
 */
export type PropertyKind = { "type": "integer",
/**
 * Its range and unit.
 */
bound: BoundEntry, } | { "type": "time",
/**
 * Its range in ns.
 */
bound: BoundEntry, } | { "type": "size",
/**
 * Its range in bytes.
 */
bound: BoundEntry, } | { "type": "flag" } | { "type": "word",
/**
 * The words.
 */
words: Array<string>, } | { "type": "text",
/**
 * Range of its length.
 */
bound: BoundEntry, } | { "type": "cpus" } | { "type": "declared" } | { "type": "written" };
