// Generated from the core; do not edit.
import type { Beat } from "./Beat";
import type { DomainShape } from "./DomainShape";
import type { Gauge } from "./Gauge";
import type { QueuePart } from "./QueuePart";

/**
 * The form of all queues of a scheduler.
 */
export type QueueShape = {
/**
 * Parts of the queue of all CPUs; none if there is no such queue.
 */
global: Array<QueuePart>,
/**
 * Parts of the queue of each CPU; none if CPUs have no queues of their own.
 */
perCpu: Array<QueuePart>,
/**
 * A measure that decides to which part a thread belongs.
 */
gauge: Gauge | null,
/**
 * What happens to all of them at regular times.
 */
beat: Beat | null,
/**
 * Domains of the balancer, inner levels first.
 */
domains: Array<DomainShape>, };
