// Generated from the core; do not edit.
import type { CacheSpec } from "./CacheSpec";
import type { CostSpec } from "./CostSpec";
import type { IdleSpec } from "./IdleSpec";
import type { Isa } from "./Isa";
import type { MemorySpec } from "./MemorySpec";
import type { Provenance } from "./Provenance";
import type { ThermalSpec } from "./ThermalSpec";
import type { TopologySpec } from "./TopologySpec";
import type { TurboSpec } from "./TurboSpec";
import type { WorkSpec } from "./WorkSpec";

/**
 * A hardware model.
 */
export type MachineSpec = {
/**
 * Id, e.g. `i7860`.
 */
id: string,
/**
 * Name for people.
 */
name: string,
/**
 * Year of the machine.
 */
year: number,
/**
 * Microarchitecture.
 */
microarchitecture: string,
/**
 * What the preset is for, in a sentence.
 */
purpose: string,
/**
 * Instruction set: decides what an operating system could see of the topology.
 */
isa: Isa,
/**
 * Packages, nodes, cache groups, cores, contexts.
 */
topology: TopologySpec,
/**
 * Nominal clock in MHz.
 */
clockMhz: number,
/**
 * How the cores do work.
 */
work: WorkSpec,
/**
 * Caches, innermost first.
 */
caches: Array<CacheSpec>,
/**
 * Memory of each node.
 */
memory: MemorySpec,
/**
 * Direct costs of scheduling.
 */
costs: CostSpec,
/**
 * What an idle CPU can do. If left out, leaving idleness takes `costs.idleExitNs` or `costs.idleExitDeepNs`.
 */
idle?: IdleSpec,
/**
 * Clock by number of active cores; nominal if left out.
 */
turbo?: TurboSpec,
/**
 * Frequency cap by heat; none if left out.
 */
thermal?: ThermalSpec,
/**
 * Where the numbers come from.
 */
provenance: Array<Provenance>, };
