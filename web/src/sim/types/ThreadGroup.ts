// Generated from the core; do not edit.
import type { BehaviourChoice } from "./BehaviourChoice";
import type { Parent } from "./Parent";
import type { Policy } from "./Policy";

/**
 * A group of equal threads.
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
 * Behaviour of each thread.
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
 * Slice that each thread requests (`sched_setattr`), in ns, 0 to 1 s; 0 for no own slice. EEVDF 6.12 grants 0.1 to
 * 100 ms; schedulers without slices of threads ignore it.
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
 * A parent of the threads: it creates them one after the other, occupies a CPU meanwhile, and then waits for them.
 * `startSpacingNs` has no effect then. Without a parent the threads start by themselves.
 */
parent?: Parent,
/**
 * Application to which the threads belong: they share an address space. Without it each thread is a
 * separate process.
 */
process?: string,
/**
 * Name of the control group in which the threads are; the root if left out.
 */
cgroup?: string,
/**
 * Whether the threads only take time from those that are measured, as daemons do: totals leave them out, and the run
 * does not wait for them.
 */
background?: boolean, };
