// Generated from the core; do not edit.
import type { RowPoint } from "./RowPoint";

/**
 * A row of runs.
 */
export type Row = {
/**
 * The runs, by ascending `at`.
 */
points: Array<RowPoint>, };
