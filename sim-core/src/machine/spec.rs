//! A machine as written in JSON: the files of `scenarios/machines/` and inline machines.
//!
//! The topology is a tree with repeat counts. Every number names its source in `provenance`.

use serde::{Deserialize, Serialize};

/// A hardware model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachineSpec {
    /// Id, e.g. `i7860`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Year of the machine.
    pub year: u16,
    /// Microarchitecture.
    pub microarchitecture: String,
    /// What the preset is for, in a sentence.
    pub purpose: String,
    /// Packages, nodes, cache groups, cores, contexts.
    pub topology: TopologySpec,
    /// Nominal clock in MHz.
    pub clock_mhz: u32,
    /// Caches, innermost first.
    pub caches: Vec<CacheSpec>,
    /// Memory of each node.
    pub memory: MemorySpec,
    /// Direct costs of scheduling.
    pub costs: CostSpec,
    /// Frequency cap by heat; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thermal: Option<ThermalSpec>,
    /// Where the numbers come from.
    #[serde(default)]
    pub provenance: Vec<Provenance>,
}

/// The tree of packages, NUMA nodes, last-level-cache groups, cores and SMT contexts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TopologySpec {
    /// How the operating system numbers the CPUs.
    pub numbering: Numbering,
    /// Packages, in order.
    pub packages: Vec<PackageSpec>,
}

/// How CPU numbers run over the contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Numbering {
    /// All first contexts, then all second contexts (Linux on Intel boards: siblings i and i + cores).
    CoresFirst,
    /// The contexts of a core are consecutive (FreeBSD: siblings 2k and 2k + 1).
    SiblingsAdjacent,
}

/// One or more equal packages (sockets).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackageSpec {
    /// How many of these.
    pub count: u16,
    /// NUMA nodes of each.
    pub nodes: Vec<NodeSpec>,
}

/// One or more equal NUMA nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeSpec {
    /// How many of these.
    pub count: u16,
    /// Groups of cores that share a last-level cache.
    pub llcs: Vec<LlcSpec>,
}

/// One or more equal groups of cores that share a last-level cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LlcSpec {
    /// How many of these.
    pub count: u16,
    /// Cores of each.
    pub cores: Vec<CoreSpec>,
}

/// One or more equal cores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoreSpec {
    /// How many of these.
    pub count: u16,
    /// SMT contexts of each core (1 = no SMT).
    pub smt: u16,
}

/// A level of cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CacheSpec {
    /// 1, 2, 3.
    pub level: u8,
    /// Size of one instance.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub bytes: u64,
    /// What shares one instance.
    pub per: CacheScope,
    /// Associativity.
    pub ways: u16,
    /// Load latency.
    pub latency_cycles: u16,
}

/// What shares one instance of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum CacheScope {
    /// Each core has its own.
    Core,
    /// The cores of a last-level-cache group share one.
    Llc,
    /// A package shares one.
    Package,
}

/// Memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemorySpec {
    /// Load latency from the local node.
    pub local_latency_ns: u32,
    /// Peak bandwidth of each node.
    pub peak_mb_per_s: u32,
}

/// Direct costs of scheduling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CostSpec {
    /// A yield that comes back to the same thread.
    pub yield_ns: u32,
    /// A switch to another thread.
    pub switch_ns: u32,
    /// A timer tick.
    pub tick_ns: u32,
    /// Delay from signalling a busy CPU to its rescheduling.
    pub kick_ns: u32,
    /// Delay from signalling an idle CPU whose core is otherwise busy.
    pub idle_exit_ns: u32,
    /// Delay from signalling a CPU of a wholly idle core.
    pub idle_exit_deep_ns: u32,
}

/// A steady-state model of heat: `ambient + perCore × active cores`, capped at `limit` by lowering the
/// frequency of all active cores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThermalSpec {
    /// Temperature with no core active.
    pub ambient_milli_c: u32,
    /// Rise with each active core.
    pub per_core_milli_c: u32,
    /// Temperature that the throttle holds.
    pub limit_milli_c: u32,
}

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// Read in the named source.
    Sourced,
    /// Vendor specification or common published value.
    Vendor,
    /// Inferred; the text gives the reasoning.
    Inferred,
    /// Not known; a choice.
    Unknown,
}

/// Where numbers come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provenance {
    /// Field paths or prefixes of them, e.g. `caches` or `costs.switchNs`.
    pub fields: Vec<String>,
    /// How well they are known.
    pub mark: Mark,
    /// Source or reasoning.
    pub source: String,
}
