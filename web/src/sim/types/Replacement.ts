// Generated from the core; do not edit.

/**
 * How a cache chooses what to drop.
 */
export type Replacement = "lru" | "random";
