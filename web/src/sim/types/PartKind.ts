// Generated from the core; do not edit.

/**
 * How a part of a queue is built.
 */
export type PartKind = "list" | "levels" | "ring" | "tree" | "deadlines" | "column" | "virtualTime";
