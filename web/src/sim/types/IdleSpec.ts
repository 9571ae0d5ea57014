// Generated from the core; do not edit.
import type { IdleState } from "./IdleState";

/**
 * The idle states of a CPU as each system knows them, from the shallowest to the deepest.
 */
export type IdleSpec = {
/**
 * Those of Linux, and of every system without a list of its own.
 */
states: Array<IdleState>,
/**
 * Those that the firmware declares to Linux up to 2.6.34; as `states` if left out.
 */
firmwareStates?: Array<IdleState>,
/**
 * Those that FreeBSD enters by default. If left out: the first of `states` that does not poll, by an interrupt, and
 * where the CPU is busy in its own way.
 */
freeBsdStates?: Array<IdleState>, };
