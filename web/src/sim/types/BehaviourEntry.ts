// Generated from the core; do not edit.
import type { ParamSpec } from "./ParamSpec";

/**
 * A behaviour of threads.
 */
export type BehaviourEntry = {
/**
 * Id in scenarios.
 */
id: string,
/**
 * Display name.
 */
name: string,
/**
 * What it does, in a line.
 */
summary: string,
/**
 * Whether the working set matters to it.
 */
usesWorkingSet: boolean,
/**
 * Whether it is offered to users (background behaviours are not).
 */
offered: boolean,
/**
 * Parameters.
 */
params: Array<ParamSpec>, };
