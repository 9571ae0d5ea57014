// Generated from the core; do not edit.
import type { ParamSpec } from "./ParamSpec";

/**
 * An era of a scheduler.
 */
export type EraEntry = {
/**
 * Id in scenarios.
 */
id: string,
/**
 * Display name, e.g. `0.318 · Linux 2.6.34`.
 */
name: string,
/**
 * What distinguishes it, in a line.
 */
summary: string,
/**
 * Year.
 */
year: number,
/**
 * Tunables with the defaults of this era.
 */
tunables: Array<ParamSpec>, };
