//! The scenario as written in JSON: machine, workload, schedulers, seed, edits, end.
//!
//! These structs are the one definition of the file format. The JSON Schema and the TypeScript types are generated from
//! them. [`validate`] turns a [`Scenario`] into a checked [`plan::Plan`], or into the list of its errors.
//!
//! Fields with a default may be left out of a file. A scenario that is written here has them all, so that its readers
//! need no defaults of their own. Only an `Option` is left out, where it means "as the machine (or the behaviour) has
//! it".

pub mod cgroups;
pub mod edit;
pub mod guide;
pub mod notices;
mod old;
pub mod plan;
pub mod property;
pub mod slices;
pub mod validate;

use cgroups::ControlGroup;
use edit::TimedEdit;
use guide::{Answer, Control, MomentKind, Opening, Thumb};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sim_contract::flags::Policy;
use sim_ground::params::ParamMap;
use sim_machine::spec::MachineSpec;
use std::collections::BTreeMap;

/// Version of the scenario format that this core writes.
pub const SCENARIO_VERSION: u32 = 2;

sim_ground::constants! {
    /// Daemons, if a scenario wants some and does not say how many.
    DAEMONS: u32 = 10, "", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// First wake-ups of all daemons together.
    DAEMON_WAKES: u32 = 300, "1/s", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Share of these that are interrupts on random CPUs.
    DAEMON_INTERRUPTS: u32 = 30, "%", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Share of the timers that end at the next tick.
    DAEMON_TICK_ALIGNED: u32 = 50, "%", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Mean run of a daemon.
    DAEMON_RUN_NS: u64 = 100_000, "ns", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Share of the runs that wake another daemon.
    DAEMON_CHAINS: u32 = 50, "%", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Wake-ups of the kernel thread of a CPU.
    KERNEL_WAKES: u32 = 2, "1/s", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Run of a kernel thread.
    KERNEL_RUN_NS: u64 = 10_000, "ns", Assumed, "Of runs of the real BFS 0.318 code under a driver. The published result does not describe the daemons that ran beside its benchmark.";
    /// Time between the starts of successive threads of a group.
    SPACING_NS: u64 = 1_000_000, "ns", Assumed, "A shell needs about a millisecond for each. A choice.";
}

/// The constants of this crate.
pub const ALL_CONSTANTS: &[&[sim_ground::provenance::Constant]] = &[CONSTANTS, cgroups::CONSTANTS];

/// A complete, runnable description: the same scenario and seed give the same digest everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    /// Format version; 2.
    #[serde(deserialize_with = "old::version")]
    pub version: u32,
    /// Name for people.
    pub name: String,
    /// What it shows; plain text.
    #[serde(default)]
    pub notes: String,
    /// The question of the scenario, in one line; plain text.
    #[serde(default)]
    pub ask: String,
    /// Replaced by `ask`. Older files may have it; it has no effect.
    #[serde(
        default,
        rename = "try",
        skip_serializing,
        deserialize_with = "ignored"
    )]
    #[cfg_attr(feature = "schema", schemars(skip), ts(skip))]
    pub old_try: (),
    /// Seed of every random stream (0 to 2^53 - 1).
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub seed: u64,
    /// Preset id, or a machine written out.
    pub machine: MachineRef,
    /// One to four schedulers, each its own lane on the same workload, seed and clock.
    pub schedulers: Vec<SchedulerChoice>,
    /// The threads.
    pub groups: Vec<ThreadGroup>,
    /// Control groups by name: who shares the CPUs with whom, and limits. None if left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "schema",
        ts(optional, as = "Option<BTreeMap<String,ControlGroup>>")
    )]
    pub cgroups: BTreeMap<String, ControlGroup>,
    /// Background wake-ups of the machine; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub background: Option<Background>,
    /// Signal delays and tick phases; the machine's own values where left out.
    #[serde(default)]
    pub timing: Timing,
    /// Changes during the run, in any order; equal times apply in the order of the list.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Vec<edit::WrittenEdit>"),
        ts(as = "Vec<edit::WrittenEdit>")
    )]
    pub edits: Vec<TimedEdit>,
    /// The end of the run.
    pub end: EndCondition,
    /// Where the page opens the run; if left out, at a moment that the page finds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub opening: Option<Opening>,
    /// The number that answers the question; if left out, the page chooses it by a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub answer: Option<Answer>,
    /// Controls that are always visible.
    #[serde(default)]
    pub controls: Vec<Control>,
    /// Kinds of moments that the page points out, most important first.
    #[serde(default)]
    pub moments: Vec<MomentKind>,
    /// The content of its small picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thumb: Option<Thumb>,
}

/// A machine by preset id, or written out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(untagged)]
pub enum MachineRef {
    /// Id of a preset in `scenarios/machines/`.
    Preset(String),
    /// A machine that is written out in the scenario.
    Inline(Box<MachineSpec>),
}

/// Written by hand, because the derived form of an untagged enum loses the cause and place of an error in the machine.
impl<'de> Deserialize<'de> for MachineRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = MachineRef;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the id of a preset or a machine")
            }

            fn visit_str<E: de::Error>(self, id: &str) -> Result<MachineRef, E> {
                Ok(MachineRef::Preset(id.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MachineRef, A::Error> {
                let spec = MachineSpec::deserialize(MapAccessDeserializer::new(map))?;
                Ok(MachineRef::Inline(Box::new(spec)))
            }
        }
        from.deserialize_any(Either)
    }
}

/// A scheduler, its era, and the tunables that differ from its defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SchedulerChoice {
    /// Id of a scheduler, e.g. `bfs`.
    pub id: String,
    /// Id of one of its eras; its first era if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub era: Option<String>,
    /// Tunables that differ from the defaults of the era.
    #[serde(default)]
    pub tunables: ParamMap,
    /// The program of an own policy, instead of an era.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub program: Option<String>,
}

/// The behaviour of the threads of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BehaviourChoice {
    /// Id of a behaviour, e.g. `dhrystone`.
    pub kind: String,
    /// Parameters that differ from the defaults of the behaviour.
    #[serde(default)]
    pub params: ParamMap,
}

/// A group of equal threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThreadGroup {
    /// Name; a thread is called name-1, name-2, …
    pub name: String,
    /// How many threads.
    pub count: u32,
    /// Behaviour of each thread.
    pub behaviour: BehaviourChoice,
    /// Nice value, -20 to 20 (Linux schedulers clamp 20 to 19).
    #[serde(default)]
    pub nice: i8,
    /// Scheduling policy.
    #[serde(default)]
    pub policy: Policy,
    /// Real-time priority, 1 to 99, for the policies fifo and roundRobin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub rt_priority: Option<u8>,
    /// Slice that each thread requests (`sched_setattr`), in ns, 0 to 1 s; 0 for no own slice. EEVDF 6.12 grants 0.1 to
    /// 100 ms; schedulers without slices of threads ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub slice_ns: Option<u64>,
    /// Bytes that each thread sweeps; the behaviour's own if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub working_set_bytes: Option<u64>,
    /// CPUs that the threads may use (hard affinity); all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub allowed: Option<Vec<u16>>,
    /// When the first thread starts.
    #[serde(default)]
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub start_ns: u64,
    /// Time between the starts of successive threads (a shell needs about a millisecond each).
    #[serde(default = "default_spacing")]
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub start_spacing_ns: u64,
    /// A parent of the threads: it creates them one after the other, occupies a CPU meanwhile, and then waits for them.
    /// `startSpacingNs` has no effect then. Without a parent the threads start by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub parent: Option<Parent>,
    /// Application to which the threads belong: they share an address space. Without it each thread is a
    /// separate process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub process: Option<String>,
    /// Name of the control group in which the threads are; the root if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub cgroup: Option<String>,
    /// Whether the threads only take time from those that are measured, as daemons do: totals leave them out, and the run
    /// does not wait for them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub background: bool,
}

/// A process that forks the threads of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Parent {
    /// Its CPU time for each child; the machine's `costs.forkNs` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub fork_cost_ns: Option<u64>,
    /// Its CPU time for each child that it checks when one has ended, because `wait4` goes through all of them. The run
    /// then lasts until the parent has waited for every child. If left out or 0, the parent sleeps until the run ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub wait_cost_ns: Option<u64>,
}

/// Wake-ups that any real system has besides the measured workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Background {
    /// Ordinary daemons; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub daemons: Option<Daemons>,
    /// Kernel threads, one bound to each CPU; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub kernel_threads: Option<KernelThreads>,
}

/// Unbound daemons that sleep, are woken by timers and interrupts, run briefly, and wake each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Daemons {
    /// How many.
    pub count: u32,
    /// First wake-ups per second of all of them together (exponential sleeps).
    pub wakes_per_second: u32,
    /// Share of these that arrive as an interrupt on a random CPU; the rest are timers on the CPU
    /// where the daemon went to sleep.
    pub interrupt_percent: u32,
    /// Share of the timer wake-ups that are rounded up to that CPU's next tick.
    pub tick_aligned_percent: u32,
    /// Mean of the exponential run length.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub run_mean_ns: u64,
    /// Probability that a run wakes another sleeping daemon, at a uniform point of the run.
    pub chain_percent: u32,
}

impl Default for Daemons {
    /// The desktop in the published comparison runs (BFS 0.318 executed under a driver).
    fn default() -> Self {
        Self {
            count: DAEMONS,
            wakes_per_second: DAEMON_WAKES,
            interrupt_percent: DAEMON_INTERRUPTS,
            tick_aligned_percent: DAEMON_TICK_ALIGNED,
            run_mean_ns: DAEMON_RUN_NS,
            chain_percent: DAEMON_CHAINS,
        }
    }
}

/// One kernel thread bound to each CPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct KernelThreads {
    /// Wake-ups per second of each (exponential sleeps).
    pub wakes_per_second: u32,
    /// Length of each run.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub run_ns: u64,
}

impl Default for KernelThreads {
    fn default() -> Self {
        Self {
            wakes_per_second: KERNEL_WAKES,
            run_ns: KERNEL_RUN_NS,
        }
    }
}

/// Signal delays and tick phases, which decide the order of simultaneous events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Timing {
    /// Delay from signalling a busy CPU to its rescheduling; the machine's value if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub kick_ns: Option<u64>,
    /// Delay from signalling an idle CPU whose core is otherwise busy; machine's value if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub idle_exit_ns: Option<u64>,
    /// Delay from signalling a CPU of a completely idle core; machine's value if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub idle_exit_deep_ns: Option<u64>,
    /// The position of each CPU's ticks.
    pub tick_phase: TickPhase,
    /// Whether idle CPUs take ticks.
    pub idle_ticks: IdleTicks,
    /// Which other events an idle CPU serves only after its idle-exit delay.
    pub idle_exit_delays: IdleExitDelays,
}

/// The position of each CPU's ticks within a tick period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum TickPhase {
    /// As the kernel starts its clocks, where that is known (FreeBSD with event timers and Linux 4.9: all CPUs at one
    /// instant; Linux 2.6.34: each a little later than the one before);
    /// otherwise staggered.
    #[default]
    Kernel,
    /// CPU c is shifted by c/16 of a period (by c/n on machines of more than 16 CPUs).
    Staggered,
    /// All CPUs tick at the same instant.
    Aligned,
}

/// Whether idle CPUs take ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum IdleTicks {
    /// An idle CPU has no ticks (Linux `NO_HZ`).
    #[default]
    Tickless,
    /// An idle CPU ticks like a busy one.
    Ticking,
}

/// The events that an idle CPU serves only after its idle-exit delay, besides signals of other CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum IdleExitDelays {
    /// Its timers, as in the comparison runs of BFS.
    #[default]
    Timers,
    /// Its timers and the interrupts of devices, as on hardware.
    All,
}

/// When the run is over: at a time, or earlier when all threads of the workload have exited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndCondition {
    /// The run never goes beyond this time.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub at_ns: u64,
    /// End as soon as every thread that is not background has exited.
    #[serde(default)]
    pub when_all_exited: bool,
}

fn ignored<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    IgnoredAny::deserialize(from).map(|_| ())
}

fn one() -> u64 {
    1
}

fn default_spacing() -> u64 {
    SPACING_NS
}
