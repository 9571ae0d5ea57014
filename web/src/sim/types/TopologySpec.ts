// Generated from the core; do not edit.
import type { Numbering } from "./Numbering";
import type { PackageSpec } from "./PackageSpec";

/**
 * The tree of packages, NUMA nodes, last-level-cache groups, cores and SMT contexts.
 */
export type TopologySpec = {
/**
 * How Linux numbers the CPUs. FreeBSD follows the APIC ids: contexts of a core are consecutive.
 */
numbering: Numbering,
/**
 * Packages, in order.
 */
packages: Array<PackageSpec>, };
