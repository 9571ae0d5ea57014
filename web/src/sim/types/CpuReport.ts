// Generated from the core; do not edit.

/**
 * Totals of a CPU.
 */
export type CpuReport = {
/**
 * Number.
 */
cpu: number,
/**
 * Time with a thread, without switching.
 */
busyNs: number,
/**
 * Time without.
 */
idleNs: number,
/**
 * Time spent switching.
 */
overheadNs: number, };
