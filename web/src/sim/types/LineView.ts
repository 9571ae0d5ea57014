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
 * V in ns.
 */
averageNs: number,
/**
 * Sum of weights.
 */
weight: number,
/**
 * Entities by deadline, the running one first.
 */
entities: Array<LineEntity>, };
