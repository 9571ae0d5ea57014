// Generated from the core; do not edit.
import type { CgroupReport } from "./CgroupReport";
import type { CpuReport } from "./CpuReport";
import type { GroupReport } from "./GroupReport";
import type { ReasonCount } from "./ReasonCount";
import type { SchedulerFault } from "./SchedulerFault";
import type { SliceHint } from "./SliceHint";
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
 * When measuring began: later than 0 if a warm-up is left out. All totals and measures are about the time since.
 */
fromNs: number,
/**
 * Simulated time that is measured.
 */
elapsedNs: number,
/**
 * Applications to which the scheduler gives equal shares of the CPUs, whatever the nice values and the number of their
 * threads; none where that makes no difference.
 */
applications: Array<string>,
/**
 * Slices that threads ask for and that change nothing, or less than one might think.
 */
sliceHints: Array<SliceHint>,
/**
 * Groups of threads.
 */
groups: Array<GroupReport>,
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
 * The scheduler's own counts, of the whole run.
 */
counters: { [key in string]: number },
/**
 * What was counted of the control groups, of the whole run; left out without control groups.
 */
cgroups?: Array<CgroupReport>,
/**
 * How often each reason was given, over the whole run.
 */
reasons: Array<ReasonCount>,
/**
 * The wrong answer of the scheduler that ended the run, if one did.
 */
fault: SchedulerFault | null,
/**
 * Digest of the run, 16 hexadecimal digits.
 */
digest: string, };
