// Generated from the core; do not edit.
import type { GroupView } from "./GroupView";

/**
 * Groups of a run, and the group of each thread.
 */
export type TaskGroups = {
/**
 * The groups, those of the background last.
 */
groups: Array<GroupView>,
/**
 * Position in `groups` of each thread.
 */
taskGroup: Array<number>, };
