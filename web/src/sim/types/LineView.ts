// Generated from the core; do not edit.
import type { LineEntity } from "./LineEntity";

/**
 * A line of virtual time: a queue of EEVDF.
 */
export type LineView = {
/**
 * Its number.
 */
line: number,
/**
 * Number of the task group; 0 is the root.
 */
group: number,
/**
 * V in ns: the weighted mean of the virtual runtimes of all that are on the queue.
 */
averageNs: number,
/**
 * Sum of their weights.
 */
weight: number,
/**
 * Entities by deadline; the one that runs first.
 */
entities: Array<LineEntity>, };
