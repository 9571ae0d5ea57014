//! A machine as written in JSON: the files of `scenarios/machines/` and inline machines.
//!
//! The topology is a tree with repeat counts. Every number names its source in `provenance`.

use serde::{Deserialize, Serialize};
use sim_ground::provenance::Mark;

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
    /// Instruction set: decides what an operating system could see of the topology.
    #[serde(default)]
    pub isa: Isa,
    /// Packages, nodes, cache groups, cores, contexts.
    pub topology: TopologySpec,
    /// Nominal clock in MHz.
    pub clock_mhz: u32,
    /// How the cores do work.
    pub work: WorkSpec,
    /// Caches, innermost first.
    pub caches: Vec<CacheSpec>,
    /// Memory of each node.
    pub memory: MemorySpec,
    /// Direct costs of scheduling.
    pub costs: CostSpec,
    /// What an idle CPU can do. If left out, leaving idleness takes `costs.idleExitNs` or `costs.idleExitDeepNs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub idle: Option<IdleSpec>,
    /// Clock by number of active cores; nominal if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub turbo: Option<TurboSpec>,
    /// Frequency cap by heat; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thermal: Option<ThermalSpec>,
    /// Where the numbers come from.
    #[serde(default)]
    pub provenance: Vec<Provenance>,
}

impl MachineSpec {
    /// The same machine without any cost: no time for data, switches, ticks, signals or idleness, and one clock.
    #[must_use]
    pub(super) fn costless(&self) -> Self {
        let mut spec = self.clone();
        for cache in &mut spec.caches {
            (cache.latency_cycles, cache.line_ps, cache.port_milli) = (0, 0, 1000);
        }
        (spec.memory.local_latency_ns, spec.memory.line_ps) = (0, 0);
        spec.costs = CostSpec {
            yield_ns: 0,
            switch_ns: 0,
            tick_ns: 0,
            kick_ns: 0,
            idle_exit_ns: 0,
            idle_exit_deep_ns: 0,
            fork_ns: Some(0),
            line_transfer_ns: 0,
            line_transfer_far_ns: None,
        };
        spec.idle = Some(IdleSpec {
            states: vec![IdleState {
                name: "idle".to_owned(),
                exit_ns: 0,
                residency_ns: 0,
                wake: IdleWake::Store,
            }],
            firmware_states: None,
            free_bsd_states: None,
        });
        (spec.turbo, spec.thermal) = (None, None);
        spec
    }
}

/// Instruction set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Isa {
    /// x86-64.
    #[default]
    Amd64,
    /// SPARC V9.
    Sparc64,
    /// Arm V8.
    Arm64,
}

/// What a core does in a cycle, and how it waits for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkSpec {
    /// Compute cycles of one iteration of `loop` (8 bytes), in thousandths.
    pub loop_milli_cycles: u32,
    /// Compute cycles of one iteration of `chase` (a line of 64 bytes), in thousandths.
    pub chase_milli_cycles: u32,
    /// How much of the shorter of computing and waiting hides behind the longer, in thousandths: 0 in order,
    /// 500 to 800 out of order.
    pub overlap_milli: u16,
    /// Width of the step from "fits" to "misses all" of an LRU cache, relative to its size, in thousandths.
    pub lru_step_milli: u16,
}

/// Clock by number of active cores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurboSpec {
    /// Clock with 1, 2, … active cores of a package; the last entry also applies to more cores.
    pub mhz: Vec<u32>,
    /// Whether it is on.
    pub enabled: bool,
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
    /// How Linux numbers the CPUs. FreeBSD follows the APIC ids: contexts of a core are consecutive.
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
    /// Cores of each cluster, for caches that a few cores share (`per: "cluster"`).
    #[serde(default = "one")]
    pub cluster: u16,
    /// Kind of core on hybrid machines, e.g. `P` and `E`; empty where all are alike.
    #[serde(default)]
    pub kind: String,
    /// Compute speed relative to the nominal clock's, in thousandths.
    #[serde(default = "thousand")]
    pub speed_milli: u16,
    /// What Linux takes the work of a context for, in 1024ths of the largest (`arch_scale_cpu_capacity`); 1024 if left out.
    #[serde(default = "full_capacity", skip_serializing_if = "is_full")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<u16>"))]
    pub capacity: u16,
}

/// The capacity of the largest cores (`SCHED_CAPACITY_SCALE`).
fn full_capacity() -> u16 {
    1024
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_full(capacity: &u16) -> bool {
    *capacity == full_capacity()
}

fn one() -> u16 {
    1
}

fn thousand() -> u16 {
    1000
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
    /// Associativity; 0 if it is not known.
    pub ways: u16,
    /// Load latency: what a pointer chase of the kernel's own pays. Streaming costs `linePs`.
    pub latency_cycles: u16,
    /// Time to stream one 64-byte line from this level, including writing back, in ps; 0 for level 1.
    pub line_ps: u32,
    /// What remains of a set that does not fit.
    #[serde(default)]
    pub replacement: Replacement,
    /// Whether it holds nothing that the level inside holds: the sizes of both add up for one thread.
    #[serde(default)]
    pub exclusive: bool,
    /// `linePs` times this, in thousandths, while another core of the package streams from this level too:
    /// for caches behind one port.
    #[serde(default = "thousand")]
    pub port_milli: u16,
    /// Kinds of cores that have it; all if left out.
    #[serde(default)]
    pub kinds: Vec<String>,
}

/// How a cache chooses what to drop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Replacement {
    /// The least recently used line: a sweep a little larger than the cache misses always.
    #[default]
    Lru,
    /// Any line: a larger sweep still hits sometimes.
    Random,
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
    /// The cores of a cluster share one.
    Cluster,
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
    /// Load latency from the local node: what a pointer chase of the kernel's own pays. Streaming costs `linePs`.
    pub local_latency_ns: u32,
    /// Peak bandwidth of each domain (for information).
    pub peak_mb_per_s: u32,
    /// Time to stream one 64-byte line from local memory, writing back included, in ps.
    pub line_ps: u32,
    /// Sustained bandwidth of each domain.
    pub bandwidth_mb_per_s: u32,
    /// What shares the bandwidth.
    pub domain: MemoryDomain,
    /// Memory of each node in MiB: where one node is filled after another, this is when the next begins.
    pub node_mib: u32,
    /// Firmware distances between nodes, a row for each (10 = local); flat if left out.
    #[serde(default)]
    pub distances: Vec<Vec<u16>>,
    /// Cost of a line by distance; distance / 10 where left out.
    #[serde(default)]
    pub remote: Vec<DistanceCost>,
}

/// What shares memory bandwidth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum MemoryDomain {
    /// Each node has its own.
    Node,
    /// The whole machine shares one.
    Machine,
}

/// What a line costs from a node at a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DistanceCost {
    /// Firmware distance.
    pub distance: u16,
    /// Time for a line relative to the local node's, in thousandths.
    pub milli: u32,
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
    /// Delay from signalling an idle CPU whose core is otherwise busy, at most that of its idle state.
    pub idle_exit_ns: u32,
    /// Delay from signalling a CPU of a completely idle core. Used where the machine names no idle states.
    pub idle_exit_deep_ns: u32,
    /// CPU time of a parent for each child that it forks; unknown if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub fork_ns: Option<u32>,
    /// Transfer of a dirty line between two cores that share a last-level cache.
    pub line_transfer_ns: u32,
    /// The same between cores that do not; as `lineTransferNs` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub line_transfer_far_ns: Option<u32>,
}

/// The idle states of a CPU as each system knows them, from the shallowest to the deepest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdleSpec {
    /// Those of Linux, and of every system without a list of its own.
    pub states: Vec<IdleState>,
    /// Those that the firmware declares to Linux up to 2.6.34; as `states` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub firmware_states: Option<Vec<IdleState>>,
    /// Those that FreeBSD enters by default. If left out: the first of `states` that does not poll, by an interrupt, and
    /// where the CPU is busy in its own way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub free_bsd_states: Option<Vec<IdleState>>,
}

impl IdleSpec {
    /// All lists, with the names of their fields.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, Option<&Vec<IdleState>>); 3] {
        [
            ("states", Some(&self.states)),
            ("firmwareStates", self.firmware_states.as_ref()),
            ("freeBsdStates", self.free_bsd_states.as_ref()),
        ]
    }
}

/// An idle state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdleState {
    /// Its name, e.g. `C1`.
    pub name: String,
    /// Time to leave it. A state without such a time polls.
    pub exit_ns: u32,
    /// Length of idleness from which on it is worth while.
    pub residency_ns: u32,
    /// What wakes a CPU in it.
    pub wake: IdleWake,
}

/// What wakes a CPU in an idle state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum IdleWake {
    /// A store to a word that the CPU watches (polling, MWAIT).
    Store,
    /// An interrupt only (HLT, WFI): another CPU has to send one, which takes `costs.kickNs`.
    Ipi,
}

/// A model of heat: the package drifts towards `ambient + perCore × active cores` with a time constant;
/// at `limit` the frequency of all active cores falls to what the limit allows.
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
    /// Time constant of warming and cooling; 0 acts at once.
    pub lag_ms: u32,
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
