// Generated from the core; do not edit.
import type { CoreSpec } from "./CoreSpec";

/**
 * One or more equal groups of cores that share a last-level cache.
 */
export type LlcSpec = {
/**
 * How many of these.
 */
count: number,
/**
 * Cores of each.
 */
cores: Array<CoreSpec>, };
