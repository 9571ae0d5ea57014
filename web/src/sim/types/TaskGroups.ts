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
taskGroup: Array<number>,
/**
 * Names of the control groups. Schedulers give them the numbers from 1 on.
 */
cgroups: Array<string>, };
