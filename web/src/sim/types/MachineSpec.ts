// Generated from the core; do not edit.
import type { CacheSpec } from "./CacheSpec";
import type { CostSpec } from "./CostSpec";
import type { MemorySpec } from "./MemorySpec";
import type { Provenance } from "./Provenance";
import type { ThermalSpec } from "./ThermalSpec";
import type { TopologySpec } from "./TopologySpec";

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
 * Packages, nodes, cache groups, cores, contexts.
 */
topology: TopologySpec,
/**
 * Nominal clock in MHz.
 */
clockMhz: number,
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
 * Frequency cap by heat; none if left out.
 */
thermal?: ThermalSpec,
/**
 * Where the numbers come from.
 */
provenance: Array<Provenance>, };
