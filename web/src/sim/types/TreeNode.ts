// Generated from the core; do not edit.

/**
 * An entity of a tree of vruntimes: a thread or a group.
 */
export type TreeNode = {
/**
 * Number of the entity.
 */
entity: number,
/**
 * The entity above it; `null` for the root and for the running entity, which is not in the tree.
 */
parent: number | null,
/**
 * Whether the node is red.
 */
red: boolean,
/**
 * Whether the entity runs, itself or something in it.
 */
running: boolean,
/**
 * The thread, if it is one.
 */
task: number | null,
/**
 * Number of the tree that it opens into, if it is a group.
 */
opens: number | null,
/**
 * Virtual runtime ahead of the `min_vruntime` of its tree, in ns.
 */
aheadNs: number,
/**
 * Load weight; 1024 is nice 0.
 */
weight: number,
/**
 * Buddies that it is: `next`, `last`, `skip`.
 */
buddies: Array<string>, };
