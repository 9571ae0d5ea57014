// Generated from the core; do not edit.
import type { ColumnEntry } from "./ColumnEntry";

/**
 * The columns that a scheduler keeps of threads and CPUs, as frames and samples have them.
 */
export type LaneColumns = {
/**
 * Of threads.
 */
task: Array<ColumnEntry>,
/**
 * Of CPUs.
 */
cpu: Array<ColumnEntry>, };
