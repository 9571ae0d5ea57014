// Generated from the core; do not edit.
import type { ColumnEntry } from "./ColumnEntry";
import type { EraEntry } from "./EraEntry";
import type { ReasonEntry } from "./ReasonEntry";

/**
 * A scheduler and its eras.
 */
export type SchedulerEntry = {
/**
 * Id in scenarios.
 */
id: string,
/**
 * Display name.
 */
name: string,
/**
 * What it is, in a line.
 */
summary: string,
/**
 * `freebsd`, `linux` or `baseline`.
 */
family: string,
/**
 * Largest nice value of its system (19 or 20).
 */
niceMax: number,
/**
 * Shape of its queue: `deadlineAxis`, `perCpuFifo`, …
 */
queueShape: string,
/**
 * Eras; the first is the default.
 */
eras: Array<EraEntry>,
/**
 * Its reasons for decisions; the position is the code in the records of its lanes.
 */
reasons: Array<ReasonEntry>,
/**
 * Extra columns per thread in a frame.
 */
taskColumns: Array<ColumnEntry>,
/**
 * Extra columns per CPU in a frame.
 */
cpuColumns: Array<ColumnEntry>, };
