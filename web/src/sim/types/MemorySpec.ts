// Generated from the core; do not edit.

/**
 * Memory.
 */
export type MemorySpec = {
/**
 * Load latency from the local node.
 */
localLatencyNs: number,
/**
 * Peak bandwidth of each node.
 */
peakMbPerS: number, };
