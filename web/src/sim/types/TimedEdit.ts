// Generated from the core; do not edit.
import type { Edit } from "./Edit";

/**
 * An edit and when it takes effect.
 */
export type TimedEdit = {
/**
 * Simulated time of the change.
 */
atNs: number,
/**
 * The change.
 */
edit: Edit,
/**
 * Position of the only lane that it concerns; all lanes if left out.
 */
lane?: number, };
