// Generated from the core; do not edit.
import type { MachineSpec } from "./MachineSpec";

/**
 * A machine by preset id, or written out.
 */
export type MachineRef = string | MachineSpec;
