// Generated from the core; do not edit.
import type { BehaviourChoice } from "./BehaviourChoice";
import type { Parent } from "./Parent";
import type { Policy } from "./Policy";

/**
 * Threads that are alike.
 */
export type ThreadGroup = {
/**
 * Name; a thread is called name-1, name-2, …
 */
name: string,
/**
 * How many threads.
 */
count: number,
/**
 * What each of them does.
 */
behaviour: BehaviourChoice,
/**
 * Nice value, -20 to 20 (Linux schedulers clamp 20 to 19).
 */
nice: number,
/**
 * Scheduling policy.
 */
policy: Policy,
/**
 * Real-time priority, 1 to 99, for the policies fifo and roundRobin.
 */
rtPriority?: number,
/**
 * Slice that each thread asks for (`sched_setattr`), in ns, 0 to 1 s; 0 for none of its own. EEVDF 6.12 grants 0.1 to
 * 100 ms; schedulers that know no slices of threads do as they would without.
 */
sliceNs?: number,
/**
 * Bytes that each thread sweeps; the behaviour's own if left out.
 */
workingSetBytes?: number,
/**
 * CPUs that the threads may use (hard affinity); all if left out.
 */
allowed?: Array<number>,
/**
 * When the first thread starts.
 */
startNs: number,
/**
 * Time between the starts of successive threads (a shell needs about a millisecond each).
 */
startSpacingNs: number,
/**
 * The threads have a parent that creates one after the other and occupies a CPU while it does, then waits for them.
 * `startSpacingNs` says nothing then. Without it they appear by themselves.
 */
parent?: Parent,
/**
 * Application that the threads belong to: they share an address space. Without it each thread is a
 * process of its own.
 */
process?: string, };
