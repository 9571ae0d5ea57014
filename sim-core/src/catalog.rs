//! The catalog: everything that the page and the command line offer, made from the registries.

use crate::config::Scenario;
use crate::info::{BoundEntry, CauseEntry, ColumnEntry, FrameLayout, MetricEntry, ReasonEntry};
use crate::machine::MachineTree;
use crate::machine::spec::MachineSpec;
use crate::params::ParamSpec;
use crate::property::Property;
use serde::Serialize;

/// Version of the core.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What this build of the core can do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Version of the core.
    pub version: &'static str,
    /// Version of the scenario format.
    pub scenario_version: u32,
    /// Schedulers in display order. Those of the family `recorded` come last; no list offers them.
    pub schedulers: Vec<SchedulerEntry>,
    /// Machine presets in display order.
    pub machines: Vec<MachineEntry>,
    /// Thread behaviours in display order.
    pub behaviours: Vec<BehaviourEntry>,
    /// Metrics in the order of `metrics()` values.
    pub metrics: Vec<MetricEntry>,
    /// Names of the causes that split a thread's CPU time, in column order.
    pub causes: Vec<CauseEntry>,
    /// Trace record kinds; the position is the code.
    pub trace_kinds: Vec<&'static str>,
    /// Where things are in a frame.
    pub frame: FrameLayout,
    /// Allowed ranges of scenario numbers.
    pub bounds: Vec<BoundEntry>,
    /// What `set PATH = VALUE` may change.
    pub properties: Vec<Property>,
    /// Functions of the measure language.
    pub functions: Vec<FunctionEntry>,
    /// Shipped scenarios.
    pub scenarios: Vec<ScenarioEntry>,
}

/// A function of the measure language.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FunctionEntry {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, in order.
    pub parameters: &'static [&'static str],
    /// How it is called, with brackets around what may be left out.
    pub usage: String,
    /// Whether only lessons have what it asks for.
    pub of_lessons: bool,
    /// The kind of its value, which says the unit: `a time`, `a share`, `a count`, `a number`, lists of these such as `times`,
    /// or that of something else: `as x`.
    pub gives: &'static str,
    /// Its value, in a sentence.
    pub summary: &'static str,
}

/// A scheduler and its eras.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SchedulerEntry {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// `freebsd`, `linux` or `baseline`.
    pub family: &'static str,
    /// Largest nice value of its system (19 or 20).
    pub nice_max: i8,
    /// Shape of its queue: `deadlineAxis`, `perCpuFifo`, …
    pub queue_shape: &'static str,
    /// Eras; the first is the default.
    pub eras: Vec<EraEntry>,
    /// Its reasons for decisions; the position is the code in the records of its lanes.
    pub reasons: Vec<ReasonEntry>,
    /// Extra columns per thread in a frame.
    pub task_columns: Vec<ColumnEntry>,
    /// Extra columns per CPU in a frame.
    pub cpu_columns: Vec<ColumnEntry>,
}

/// An era of a scheduler.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct EraEntry {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name, e.g. `0.318 · Linux 2.6.34`.
    pub name: &'static str,
    /// What distinguishes it, in a line.
    pub summary: &'static str,
    /// Year.
    pub year: u16,
    /// Tunables with the defaults of this era.
    pub tunables: Vec<ParamSpec>,
}

/// A machine preset.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct MachineEntry {
    /// The file.
    pub spec: MachineSpec,
    /// Its tree, expanded.
    pub tree: MachineTree,
}

/// A behaviour of threads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct BehaviourEntry {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether the working set matters to it.
    pub uses_working_set: bool,
    /// Whether it is offered to users (background behaviours are not).
    pub offered: bool,
    /// Parameters.
    pub params: Vec<ParamSpec>,
}

/// A shipped scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ScenarioEntry {
    /// File stem.
    pub id: &'static str,
    /// The scenario.
    pub scenario: Scenario,
}

/// Everything that this build of the core can do.
///
/// # Panics
/// If a shipped file is broken; tests read them all.
#[must_use]
pub fn catalog() -> Catalog {
    use crate::{
        bounds, config, experiment, frame, machine, metrics, property, sched, trace, workload,
    };
    Catalog {
        version: VERSION,
        scenario_version: config::SCENARIO_VERSION,
        schedulers: sched::registry::ALL
            .schedulers
            .iter()
            .chain(sched::registry::ALL.of_traces)
            .map(|s| SchedulerEntry {
                id: s.id,
                name: s.name,
                summary: s.summary,
                family: s.family,
                nice_max: s.nice_max,
                queue_shape: s.queue_shape,
                eras: s
                    .eras
                    .iter()
                    .map(|e| EraEntry {
                        id: e.id,
                        name: e.name,
                        summary: e.summary,
                        year: e.year,
                        tunables: e.tunables.to_vec(),
                    })
                    .collect(),
                reasons: s.reasons.to_vec(),
                task_columns: s.task_columns.to_vec(),
                cpu_columns: s.cpu_columns.to_vec(),
            })
            .collect(),
        machines: machine::registry::ids()
            .map(|id| {
                let machine = machine::registry::preset(id).expect("invariant: listed");
                MachineEntry {
                    spec: machine.spec().clone(),
                    tree: machine.tree(),
                }
            })
            .collect(),
        behaviours: workload::registry::BEHAVIOURS
            .iter()
            .map(|b| BehaviourEntry {
                id: b.id,
                name: b.name,
                summary: b.summary,
                uses_working_set: b.uses_working_set,
                offered: b.offered,
                params: b.params.to_vec(),
            })
            .collect(),
        metrics: metrics::registry::METRICS.iter().map(|m| m.entry).collect(),
        causes: machine::rate::CAUSE_ENTRIES.to_vec(),
        trace_kinds: trace::KINDS.to_vec(),
        frame: frame::layout(),
        bounds: bounds::ALL.to_vec(),
        properties: property::PROPERTIES.to_vec(),
        functions: sim_measure::functions::FUNCTIONS
            .iter()
            .map(|f| FunctionEntry {
                name: f.name,
                parameters: f.parameters,
                usage: f.usage(),
                of_lessons: f.of_lessons,
                gives: f.gives,
                summary: f.summary,
            })
            .collect(),
        scenarios: experiment::registry::SCENARIOS
            .iter()
            .map(|(id, _)| ScenarioEntry {
                id,
                scenario: experiment::registry::scenario(id).expect("invariant: listed"),
            })
            .collect(),
    }
}
