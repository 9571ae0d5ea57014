// Generated from the core; do not edit.
import type { CacheTree } from "./CacheTree";

/**
 * Where each CPU is: one entry per CPU in each list.
 */
export type MachineTree = {
/**
 * Core of each CPU.
 */
core: Array<number>,
/**
 * Last-level-cache group of each CPU.
 */
llc: Array<number>,
/**
 * NUMA node of each CPU.
 */
node: Array<number>,
/**
 * Package of each CPU.
 */
package: Array<number>,
/**
 * Which context of its core each CPU is (0, 1, …).
 */
thread: Array<number>,
/**
 * Cluster of cores of each CPU.
 */
cluster: Array<number>,
/**
 * Kind of core of each CPU: position in `kinds`.
 */
kind: Array<number>,
/**
 * Kinds of cores; one empty name where all are alike.
 */
kinds: Array<string>,
/**
 * What Linux takes the work of each CPU for, in 1024ths of the largest.
 */
capacity: Array<number>,
/**
 * The caches, level 1 first (a hybrid machine may have several entries of one level).
 */
caches: Array<CacheTree>, };
