// Generated from the core; do not edit.
import type { DistanceCost } from "./DistanceCost";
import type { MemoryDomain } from "./MemoryDomain";

/**
 * Memory.
 */
export type MemorySpec = {
/**
 * Load latency from the local node: what a pointer chase of the kernel's own pays. Streaming costs `linePs`.
 */
localLatencyNs: number,
/**
 * Peak bandwidth of each domain (for information).
 */
peakMbPerS: number,
/**
 * Time to stream one 64-byte line from local memory, writing back included, in ps.
 */
linePs: number,
/**
 * Sustained bandwidth of each domain.
 */
bandwidthMbPerS: number,
/**
 * What shares the bandwidth.
 */
domain: MemoryDomain,
/**
 * Memory of each node in MiB: where one node is filled after another, this is when the next begins.
 */
nodeMib: number,
/**
 * Firmware distances between nodes, a row for each (10 = local); flat if left out.
 */
distances: Array<Array<number>>,
/**
 * Cost of a line by distance; distance / 10 where left out.
 */
remote: Array<DistanceCost>, };
