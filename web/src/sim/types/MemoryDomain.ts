// Generated from the core; do not edit.

/**
 * What shares memory bandwidth.
 */
export type MemoryDomain = "node" | "machine";
