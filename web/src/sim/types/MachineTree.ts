// Generated from the core; do not edit.

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
thread: Array<number>, };
