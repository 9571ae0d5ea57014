// Generated from the core; do not edit.
import type { LlcSpec } from "./LlcSpec";

/**
 * One or more equal NUMA nodes.
 */
export type NodeSpec = {
/**
 * How many of these.
 */
count: number,
/**
 * Groups of cores that share a last-level cache.
 */
llcs: Array<LlcSpec>, };
