// Generated from the core; do not edit.
import type { GroupNow } from "./GroupNow";
import type { ParamValue } from "./ParamValue";
import type { Pinned } from "./Pinned";
import type { SliceHint } from "./SliceHint";

/**
 * The present of a lane.
 */
export type Present = {
/**
 * The groups of the scenario, in its order; without those of `background`.
 */
groups: Array<GroupNow>,
/**
 * Threads of groups whose CPUs differ: threads with the same CPUs together, in the order of the first of them.
 */
pinned: Array<Pinned>,
/**
 * Threads that are asked to stop or have stopped, by number, ascending; a sleeping one has stopped.
 */
stopped: Array<number>,
/**
 * The applications among which the scheduler divides the CPUs equally, if it groups threads by application and there are
 * two or more.
 */
applications: Array<string>,
/**
 * Slices that threads ask for and that change nothing now, or less than one might think.
 */
sliceHints: Array<SliceHint>,
/**
 * Every tunable of the scheduler.
 */
tunables: { [key in string]: ParamValue }, };
