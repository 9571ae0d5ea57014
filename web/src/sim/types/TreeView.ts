// Generated from the core; do not edit.
import type { TreeNode } from "./TreeNode";

/**
 * A tree of vruntimes.
 */
export type TreeView = {
/**
 * Its number.
 */
tree: number,
/**
 * Number of the task group; 0 is the root.
 */
group: number,
/**
 * `min_vruntime` in ns.
 */
minVruntimeNs: number,
/**
 * Entities by vruntime; the one that runs first.
 */
nodes: Array<TreeNode>, };
