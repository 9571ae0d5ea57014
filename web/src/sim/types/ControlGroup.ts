// Generated from the core; do not edit.

/**
 * A control group (cgroup v2, controller `cpu`): a share of the CPUs while others want them, and perhaps a limit.
 * Linux 4.9 and later know them; other schedulers ignore the tree.
 */
export type ControlGroup = {
/**
 * Name of the group that it lies in; the root if left out.
 */
parent?: string,
/**
 * `cpu.weight`, 1 to 10000; 100 if neither it nor another way to say a weight is there.
 */
weight?: number,
/**
 * Instead of `weight`: `cpu.weight.nice`, the weight of a thread with this nice value, -20 to 19.
 */
weightNice?: number,
/**
 * Instead of `weight`: the CPU request of a container in thousandths of a CPU, as Kubernetes turns it into a weight.
 */
requestMilliCpus?: number,
/**
 * Instead of a weight: `cpu.idle`, the group runs on what nobody else wants.
 */
idle?: boolean,
/**
 * CPU time in each period, in µs (`cpu.max`), 1000 or more; no limit if left out.
 */
quotaUs?: number,
/**
 * Length of a period, in µs, 1000 to 1000000.
 */
periodUs: number,
/**
 * How much unused time may be saved for a later period, in µs (`cpu.max.burst`), at most the quota. Since 5.14.
 */
burstUs: number,
/**
 * Where the periods begin, in µs from the start of the run. If left out, they begin with it up to 6.1, and since then
 * at a random time for each group.
 */
phaseUs?: number, };
