// Generated from the core; do not edit.
import type { GroupNow } from "./GroupNow";
import type { ParamValue } from "./ParamValue";

/**
 * The present of a lane.
 */
export type Present = {
/**
 * The groups of the scenario, in its order; without the background.
 */
groups: Array<GroupNow>,
/**
 * Every tunable of the scheduler.
 */
tunables: { [key in string]: ParamValue }, };
