//! The result of a run as plain data: what `timeslice run --json` prints and the page exports.

use crate::engine::replay::About;
use crate::engine::{Sim, TaskState};
use crate::hash;
use crate::ids::{CpuId, TaskId};
use crate::machine::rate::CAUSE_ENTRIES;
use crate::metrics::{Totals, real, registry::METRICS, work_ns};
use crate::sched::decision::Decision;
use crate::sched::registry;
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct RunReport {
    /// Name of the scenario.
    pub scenario: String,
    /// Id of the machine.
    pub machine: String,
    /// Id of the scheduler.
    pub scheduler: String,
    /// Id of its era.
    pub era: String,
    /// Seed.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub seed: u64,
    /// Simulated time.
    pub elapsed_ns: f64,
    /// Threads of the workload and the background.
    pub threads: Vec<ThreadReport>,
    /// CPUs.
    pub cpus: Vec<CpuReport>,
    /// Measures by id; a measure that is not defined is left out.
    pub metrics: BTreeMap<String, f64>,
    /// The scheduler's own counts.
    pub counters: BTreeMap<String, f64>,
    /// Digest of the run, 16 hexadecimal digits.
    pub digest: String,
}

/// Totals of a thread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ThreadReport {
    /// Name.
    pub name: String,
    /// Group.
    pub group: String,
    /// Not part of the measured workload.
    pub background: bool,
    /// Nice value at the end.
    pub nice: i8,
    /// CPU time.
    pub cpu_ns: f64,
    /// Work done, in ns at full speed.
    pub work_ns: f64,
    /// Time waiting for a CPU.
    pub wait_ns: f64,
    /// Time asleep.
    pub sleep_ns: f64,
    /// Longest wait.
    pub longest_wait_ns: f64,
    /// Times switched in.
    pub switches: f64,
    /// Times it left the CPU against its will.
    pub involuntary: f64,
    /// Times it ran on another CPU than before.
    pub migrations: f64,
    /// CPU time by cause, in ns.
    pub by_cause_ns: BTreeMap<String, f64>,
    /// When it ended; `null` if it has not.
    pub exited_at_ns: Option<f64>,
}

/// Totals of a CPU.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CpuReport {
    /// Number.
    pub cpu: u16,
    /// Time with a thread, switching excluded.
    pub busy_ns: f64,
    /// Time without.
    pub idle_ns: f64,
    /// Time spent switching.
    pub overhead_ns: f64,
}

/// A decision for display.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    /// Number, from 0.
    pub id: f64,
    /// When.
    pub at_ns: f64,
    /// The CPU that it is about.
    pub cpu: Option<u16>,
    /// The thread that it is about.
    pub task: Option<u32>,
    /// Its name.
    pub task_name: Option<String>,
    /// Kind: `selectCpu`, `pickNext`, …
    pub kind: &'static str,
    /// The kernel's word.
    pub reason: &'static str,
    /// Kernel function and release.
    pub kernel: &'static str,
    /// The numbers of the rule.
    pub operands: Vec<OperandView>,
    /// What was compared; empty unless asked for.
    pub candidates: Vec<CandidateView>,
}

/// A number of a decision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct OperandView {
    /// What it is.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit.
    pub unit: &'static str,
}

/// Something that might have been chosen.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CandidateView {
    /// CPU, where CPUs were compared.
    pub cpu: Option<u16>,
    /// Thread, where threads were compared, or the one that runs on the CPU.
    pub task: Option<u32>,
    /// Its name.
    pub name: Option<String>,
    /// What was compared.
    pub score: f64,
    /// What the score consists of.
    pub note: &'static str,
    /// Whether it was taken.
    pub chosen: bool,
}

/// The totals of a run, brought up to date.
pub fn with_totals<T>(sim: &mut Sim, read: impl FnOnce(&Totals<'_>) -> T) -> T {
    sim.refresh();
    let sim = &*sim;
    let views: Vec<_> = (0..sim.task_count())
        .map(|i| sim.task_view(TaskId::new(i)))
        .collect();
    let (background, workload): (Vec<_>, Vec<_>) =
        views.into_iter().partition(|t| t.info.background);
    read(&Totals {
        elapsed_ns: sim.now().0,
        tasks: workload.iter().map(|t| t.account).collect(),
        background: background.iter().map(|t| t.account).collect(),
        cpus: sim
            .plan()
            .machine
            .cpu_ids()
            .map(|c| sim.cpu_account(c))
            .collect(),
        run_delay: sim.run_delay(),
        wakeup_latency: sim.wakeup_latency(),
        idle_while_waiting_ns: sim.idle_while_waiting_ns(),
        workload_core_ns: sim.workload_core_ns(),
    })
}

/// The measures in the order of the catalog; NaN where one is not defined yet.
pub fn metrics(sim: &mut Sim) -> Vec<f64> {
    with_totals(sim, |totals| {
        METRICS.iter().map(|m| (m.value)(totals)).collect()
    })
}

/// The digest as text.
pub fn digest_text(sim: &mut Sim) -> String {
    format!("{:016x}", hash::word(sim.digest(), 0))
}

/// The result of a run up to now.
pub fn report(sim: &mut Sim) -> RunReport {
    let values = metrics(sim);
    let digest = digest_text(sim);
    let plan = sim.plan();
    let lane = &plan.lanes[sim.lane()];
    let counters = sim.scheduler().counters();
    RunReport {
        scenario: plan.scenario.name.clone(),
        machine: plan.machine.spec().id.clone(),
        scheduler: lane.info.id.to_owned(),
        era: lane.era.id.to_owned(),
        seed: plan.seed,
        elapsed_ns: real(sim.now().0),
        threads: (0..sim.task_count())
            .map(|i| thread(sim, TaskId::new(i)))
            .collect(),
        cpus: plan.machine.cpu_ids().map(|c| cpu(sim, c)).collect(),
        metrics: by_name(METRICS.iter().map(|m| m.entry.id).zip(values)),
        counters: by_name(counters.into_iter().map(|(name, n)| (name, real(n)))),
        digest,
    }
}

/// Numbers by name, without those that are not defined. Entered one by one: collecting them would bring a sort along.
fn by_name(values: impl Iterator<Item = (&'static str, f64)>) -> BTreeMap<String, f64> {
    let mut map = BTreeMap::new();
    for (name, value) in values.filter(|(_, v)| v.is_finite()) {
        map.insert(name.to_owned(), value);
    }
    map
}

fn thread(sim: &Sim, task: TaskId) -> ThreadReport {
    let view = sim.task_view(task);
    let a = view.account;
    debug_assert!(view.state != TaskState::Exited || a.exited_at_ns.is_some());
    let causes = CAUSE_ENTRIES.iter().map(|c| c.id);
    ThreadReport {
        name: sim.task_name(task),
        group: sim.plan().groups[view.info.group.index()].name.clone(),
        background: view.info.background,
        nice: view.info.nice,
        cpu_ns: real(a.run_ns),
        work_ns: work_ns(a),
        wait_ns: real(a.wait_ns),
        sleep_ns: real(a.sleep_ns),
        longest_wait_ns: real(a.longest_wait_ns),
        switches: real(a.switches),
        involuntary: real(a.involuntary),
        migrations: real(a.migrations),
        by_cause_ns: by_name(causes.zip(a.by_cause.map(|q20| real(q20 >> 10) / 1024.0))),
        exited_at_ns: a.exited_at_ns.map(real),
    }
}

fn cpu(sim: &Sim, cpu: CpuId) -> CpuReport {
    let a = sim.cpu_account(cpu);
    CpuReport {
        cpu: cpu.0,
        busy_ns: real(a.busy_ns - a.switch_ns),
        idle_ns: real(a.idle_ns),
        overhead_ns: real(a.switch_ns),
    }
}

/// Kept decisions for display: from a number on towards older or newer ones, or from that end; those of a thread, a CPU,
/// a kind or a reason only.
#[must_use]
pub fn decisions(
    sim: &Sim,
    from: Option<u64>,
    newer: bool,
    max: usize,
    about: About,
    kind: &str,
) -> Vec<DecisionView> {
    let reasons = registry::reasons();
    let is_wanted = |d: &&Decision| {
        let r = &reasons[usize::from(d.reason)];
        about.task.is_none_or(|t| d.task == Some(t))
            && about.cpu.is_none_or(|c| d.cpu == Some(c))
            && (kind.is_empty() || r.kind == kind || r.id == kind)
    };
    let view = |d: &Decision| decision_view(sim, d);
    let log = sim.decisions();
    if newer {
        let list = log.since(from.unwrap_or(0)).filter(is_wanted);
        list.take(max).map(view).collect()
    } else {
        let list = log
            .iter()
            .rev()
            .skip_while(|d| from.is_some_and(|f| d.id > f));
        list.filter(is_wanted).take(max).map(view).collect()
    }
}

/// A decision for display.
#[must_use]
#[allow(clippy::cast_precision_loss)] // display; operands far below 2^53
pub fn decision_view(sim: &Sim, d: &Decision) -> DecisionView {
    let info = &registry::reasons()[usize::from(d.reason)];
    let name = |task: Option<TaskId>| {
        task.filter(|t| t.index() < sim.task_count())
            .map(|t| sim.task_name(t))
    };
    DecisionView {
        id: real(d.id),
        at_ns: real(d.at.0),
        cpu: d.cpu.map(|c| c.0),
        task: d.task.map(|t| t.0),
        task_name: name(d.task),
        kind: info.kind,
        reason: info.id,
        kernel: info.kernel,
        operands: (0..4)
            .filter(|i| !info.operands[*i].is_empty())
            .map(|i| OperandView {
                name: info.operands[i],
                value: d.operands[i] as f64,
                unit: info.units[i],
            })
            .collect(),
        candidates: d
            .candidates
            .iter()
            .map(|c| CandidateView {
                cpu: c.cpu.map(|c| c.0),
                task: c.task.map(|t| t.0),
                name: name(c.task),
                score: c.score as f64,
                note: c.note,
                chosen: c.chosen,
            })
            .collect(),
    }
}

/// Groups of a run, and the group of each thread.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct TaskGroups {
    /// The groups, those of the background last.
    pub groups: Vec<GroupView>,
    /// Position in `groups` of each thread.
    pub task_group: Vec<u16>,
}

/// A group of threads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// Name.
    pub name: String,
    /// Not part of the measured workload.
    pub background: bool,
    /// Id of the behaviour.
    pub behaviour: &'static str,
    /// Application.
    pub process: String,
}

/// Names of all threads by number.
#[must_use]
pub fn task_names(sim: &Sim) -> Vec<String> {
    (0..sim.task_count())
        .map(|i| sim.task_name(TaskId::new(i)))
        .collect()
}

/// Groups, and the group of each thread.
#[must_use]
pub fn task_groups(sim: &Sim) -> TaskGroups {
    TaskGroups {
        groups: sim
            .plan()
            .groups
            .iter()
            .map(|g| GroupView {
                name: g.name.clone(),
                background: g.background,
                behaviour: g.behaviour.id,
                process: g.process.clone(),
            })
            .collect(),
        task_group: (0..sim.task_count())
            .map(|i| sim.task_view(TaskId::new(i)).info.group.0)
            .collect(),
    }
}
