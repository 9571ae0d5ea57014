// Generated from the core; do not edit.
import type { GroupNow } from "./GroupNow";
import type { ParamValue } from "./ParamValue";
import type { Pinned } from "./Pinned";

/**
 * The present of a lane.
 */
export type Present = {
/**
 * The groups of the scenario, in its order; without the background.
 */
groups: Array<GroupNow>,
/**
 * Threads of groups that have different CPUs: all that may use the same together, in the order of their first.
 */
pinned: Array<Pinned>,
/**
 * Threads that somebody has asked to stop, by number, ascending; those among them that sleep have.
 */
stopped: Array<number>,
/**
 * Every tunable of the scheduler.
 */
tunables: { [key in string]: ParamValue }, };
