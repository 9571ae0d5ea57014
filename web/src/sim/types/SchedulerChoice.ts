// Generated from the core; do not edit.
import type { ParamValue } from "./ParamValue";

/**
 * A scheduler, its era, and the tunables that differ from its defaults.
 */
export type SchedulerChoice = {
/**
 * Id of a scheduler, e.g. `bfs`.
 */
id: string,
/**
 * Id of one of its eras; its first era if left out.
 */
era?: string,
/**
 * Tunables that differ from the defaults of the era.
 */
tunables: { [key in string]: ParamValue },
/**
 * The program of an own policy, instead of an era.
 */
program?: string, };
