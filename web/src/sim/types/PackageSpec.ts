// Generated from the core; do not edit.
import type { NodeSpec } from "./NodeSpec";

/**
 * One or more equal packages (sockets).
 */
export type PackageSpec = {
/**
 * How many of these.
 */
count: number,
/**
 * NUMA nodes of each.
 */
nodes: Array<NodeSpec>, };
