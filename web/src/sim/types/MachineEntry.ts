// Generated from the core; do not edit.
import type { MachineSpec } from "./MachineSpec";
import type { MachineTree } from "./MachineTree";

/**
 * A machine preset.
 */
export type MachineEntry = {
/**
 * The file.
 */
spec: MachineSpec,
/**
 * Its tree, expanded.
 */
tree: MachineTree, };
