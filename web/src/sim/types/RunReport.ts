// Generated from the core; do not edit.
import type { CpuReport } from "./CpuReport";
import type { ThreadReport } from "./ThreadReport";

/**
 * The result of a run.
 */
export type RunReport = {
/**
 * Name of the scenario.
 */
scenario: string,
/**
 * Id of the machine.
 */
machine: string,
/**
 * Id of the scheduler.
 */
scheduler: string,
/**
 * Id of its era.
 */
era: string,
/**
 * Seed.
 */
seed: number,
/**
 * Simulated time.
 */
elapsedNs: number,
/**
 * Threads of the workload and the background.
 */
threads: Array<ThreadReport>,
/**
 * CPUs.
 */
cpus: Array<CpuReport>,
/**
 * Measures by id; a measure that is not defined is left out.
 */
metrics: { [key in string]: number },
/**
 * The scheduler's own counts.
 */
counters: { [key in string]: number },
/**
 * Digest of the run, 16 hexadecimal digits.
 */
digest: string, };
