// Generated from the core; do not edit.

/**
 * What shares one instance of a cache.
 */
export type CacheScope = "core" | "cluster" | "llc" | "package";
