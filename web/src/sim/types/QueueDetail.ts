// Generated from the core; do not edit.
import type { DomainNow } from "./DomainNow";
import type { IdleNow } from "./IdleNow";
import type { LineView } from "./LineView";
import type { TreeView } from "./TreeView";
import type { Weighed } from "./Weighed";

/**
 * What one CPU sees of the queues beyond the rows of a frame.
 */
export type QueueDetail = {
/**
 * Trees; that of the CPU first, those of groups after the one that they stand in.
 */
trees: Array<TreeView>,
/**
 * Lines of virtual time; that of the CPU first, those of groups after the one that they stand in.
 */
lines: Array<LineView>,
/**
 * Waiting threads with what this CPU adds to their deadlines, in the order of the queue.
 */
weighed: Array<Weighed>,
/**
 * Its domains, the innermost first.
 */
domains: Array<DomainNow>,
/**
 * The state that it is in, if it is idle and the machine has states.
 */
idle: IdleNow | null,
/**
 * Numbers that the scheduler keeps of the whole lane, by name.
 */
numbers: Array<[string, number]>, };
