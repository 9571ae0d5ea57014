// Generated from the core; do not edit.
import type { ParamValue } from "./ParamValue";
import type { Target } from "./Target";

/**
 * A change during a run.
 */
export type Edit = { "kind": "setNice",
/**
 * Which threads.
 */
target: Target,
/**
 * New nice value, -20 to 20.
 */
nice: number, } | { "kind": "setSlice",
/**
 * Which threads.
 */
target: Target,
/**
 * New slice in ns; 0 for no own slice.
 */
sliceNs: number, } | { "kind": "setWorkingSet",
/**
 * Which threads.
 */
target: Target,
/**
 * New size in bytes.
 */
bytes: number, } | { "kind": "pin",
/**
 * Which threads.
 */
target: Target,
/**
 * CPUs that remain allowed.
 */
cpus: Array<number>, } | { "kind": "unpin",
/**
 * Which threads.
 */
target: Target, } | { "kind": "spawn",
/**
 * Name of the group.
 */
group: string,
/**
 * How many.
 */
count: number, } | { "kind": "kill",
/**
 * Which threads.
 */
target: Target,
/**
 * Number of threads to end, youngest first; all if left out.
 */
count?: number, } | { "kind": "pause",
/**
 * Which threads.
 */
target: Target, } | { "kind": "resume",
/**
 * Which threads.
 */
target: Target, } | { "kind": "copy",
/**
 * The thread with this name, e.g. `dhry-3`. If it has not been forked yet, the edit waits for it.
 */
thread: string, } | { "kind": "setTunable",
/**
 * Only in this lane (0-based); every lane whose scheduler has the tunable if left out.
 */
lane?: number,
/**
 * Id of the tunable.
 */
id: string,
/**
 * New value.
 */
value: ParamValue, };
