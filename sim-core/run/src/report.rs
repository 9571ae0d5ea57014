//! The result of a run as plain data: `timeslice run --json` prints it, and the page exports it.

use crate::config::plan::GroupPlan;
use crate::config::slices::{self, SliceHint};
use crate::engine::replay::DecisionFilter;
use crate::engine::{SchedulerFault, Sim, TaskState, UpToDate};
use crate::hash;
use crate::ids::{CpuId, TaskId};
use crate::machine::rate::CAUSE_ENTRIES;
use crate::metrics::{Totals, real, registry::METRICS, work_ns};
use crate::sched::decision::Decision;
use serde::Serialize;
use std::collections::BTreeMap;

mod cgroups;
mod decision;
mod program;

pub use cgroups::CgroupReport;
pub use decision::{decision_view, named_decision};
pub use program::{CallView, ExecutedLine, LaneColumns, lane_columns};

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
    /// When measuring began: later than 0 if a warm-up is left out. All totals and measures are about the time since.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub from_ns: u64,
    /// Simulated time that is measured.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub elapsed_ns: u64,
    /// Applications to which the scheduler gives equal shares of the CPUs, whatever the nice values and the number of their
    /// threads; none where that makes no difference.
    pub applications: Vec<String>,
    /// Slices that threads ask for and that change nothing, or less than one might think.
    pub slice_hints: Vec<SliceHint>,
    /// Groups of threads.
    pub groups: Vec<GroupReport>,
    /// Threads of the workload and the background.
    pub threads: Vec<ThreadReport>,
    /// CPUs.
    pub cpus: Vec<CpuReport>,
    /// Measures by id; a measure that is not defined is left out.
    pub metrics: BTreeMap<String, f64>,
    /// The scheduler's own counts, of the whole run.
    #[cfg_attr(feature = "schema", ts(type = "{ [key in string]: number }"))]
    pub counters: BTreeMap<String, u64>,
    /// What was counted of the control groups, of the whole run; left out without control groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<CgroupReport>>"))]
    pub cgroups: Vec<CgroupReport>,
    /// How often each reason was given, over the whole run.
    pub reasons: Vec<ReasonCount>,
    /// The wrong answer of the scheduler that ended the run, if one did.
    pub fault: Option<SchedulerFault>,
    /// Digest of the run, 16 hexadecimal digits.
    pub digest: String,
}

/// Totals of a group of threads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct GroupReport {
    /// Name.
    pub name: String,
    /// Whether it is not part of the measured workload.
    pub background: bool,
    /// Number of its threads, including those that have ended.
    pub threads: u32,
    /// CPU time.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub cpu_ns: u64,
    /// Part of all threads' CPU time; 0 while there is none.
    pub share: f64,
    /// Work done, in ns at full speed.
    pub work_ns: f64,
    /// Time waiting for a CPU, of all its threads together.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub wait_ns: u64,
    /// Longest wait of a thread that has run before; a wait that has not ended counts in full.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub longest_wait_ns: u64,
    /// Longest wait of a thread before its first run; a wait that has not ended counts in full.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub longest_first_wait_ns: u64,
    /// Times that its threads were switched in.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub switches: u64,
    /// Times that they ran on another CPU than before.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub migrations: u64,
    /// Threads that were placed on another CPU than their forker's when they were forked.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub placements: u64,
}

/// How often a reason was given.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ReasonCount {
    /// The kernel's word.
    pub reason: &'static str,
    /// Kind of decision.
    pub kind: &'static str,
    /// All decisions for this reason.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub count: u64,
    /// Those about a CPU, by its number.
    #[cfg_attr(feature = "schema", ts(type = "{ [key in number]: number }"))]
    pub by_cpu: BTreeMap<u16, u64>,
    /// Those about a thread, by its name.
    #[cfg_attr(feature = "schema", ts(type = "{ [key in string]: number }"))]
    pub by_thread: BTreeMap<String, u64>,
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
    /// Whether it is not part of the measured workload.
    pub background: bool,
    /// Nice value at the end.
    pub nice: i8,
    /// CPU time.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub cpu_ns: u64,
    /// Work done, in ns at full speed.
    pub work_ns: f64,
    /// Time waiting for a CPU.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub wait_ns: u64,
    /// Time asleep.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub sleep_ns: u64,
    /// Longest wait, without the wait before its first run; a wait that has not ended counts in full.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub longest_wait_ns: u64,
    /// The wait before its first run; if it has not ended, up to now.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub longest_first_wait_ns: u64,
    /// Times switched in.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub switches: u64,
    /// Times it left the CPU against its will.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub involuntary: u64,
    /// Times it ran on another CPU than before.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub migrations: u64,
    /// Whether it was placed on another CPU than its forker's when it was forked: 0 or 1.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub placements: u64,
    /// CPU time by cause, in ns.
    pub by_cause_ns: BTreeMap<String, f64>,
    /// When it ended; `null` if it has not.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub exited_at_ns: Option<u64>,
}

/// Totals of a CPU.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CpuReport {
    /// Number.
    pub cpu: u16,
    /// Time with a thread, without switching.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub busy_ns: u64,
    /// Time without.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub idle_ns: u64,
    /// Time spent switching.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub overhead_ns: u64,
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
    /// The candidates; empty unless requested.
    pub candidates: Vec<CandidateView>,
    /// What the scheduler said of it; only with the candidates, and only from one that says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub said: Option<String>,
    /// The calls of its program that led to it, in order; only with the candidates, and only from a scheduler with one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<CallView>>"))]
    pub calls: Vec<CallView>,
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
    /// What has the number as its own, by name, if the unit is `cgroup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub named: Option<String>,
}

/// A CPU or thread that might have been chosen.
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
    /// The score.
    pub score: f64,
    /// What the score consists of.
    pub note: &'static str,
    /// Whether it was taken.
    pub chosen: bool,
}

/// Passes the totals of a run to `read`.
pub fn with_totals<T>(sim: UpToDate<'_>, read: impl FnOnce(&Totals<'_>) -> T) -> T {
    let from = sim.measured_from().0;
    let (mut workload, mut background) = (Vec::new(), Vec::new());
    for task in (0..sim.task_count()).map(TaskId::new) {
        if !sim.is_measured(task) {
            continue;
        }
        let mut account = sim.measured_task(task);
        for time in [&mut account.started_at_ns, &mut account.exited_at_ns] {
            *time = time.map(|at| at.saturating_sub(from));
        }
        if sim.task_view(task).info.background {
            background.push(account);
        } else {
            workload.push(account);
        }
    }
    let cpus: Vec<_> = sim
        .plan()
        .machine
        .cpu_ids()
        .map(|c| sim.measured_cpu(c))
        .collect();
    let (run_delay, wakeup_latency) = sim.measured_waits();
    let (idle_while_waiting_ns, workload_core_ns) = sim.measured_integrals();
    read(&Totals {
        elapsed_ns: sim.now().0 - from,
        tasks: workload.iter().collect(),
        background: background.iter().collect(),
        cpus: cpus.iter().collect(),
        run_delay,
        wakeup_latency,
        idle_while_waiting_ns,
        workload_core_ns,
        jobs: sim.measured_jobs(),
    })
}

/// The measures in the order of the catalog; NaN where one is not defined yet.
#[must_use]
pub fn metrics(sim: UpToDate<'_>) -> Vec<f64> {
    with_totals(sim, |totals| {
        METRICS.iter().map(|m| (m.value)(totals)).collect()
    })
}

/// The digest as a number.
pub fn digest(sim: &mut Sim) -> u64 {
    digest_of(sim.refresh())
}

/// The same, of a run that is up to date.
#[must_use]
pub fn digest_of(sim: UpToDate<'_>) -> u64 {
    hash::word(sim.digest(), 0)
}

/// The digest as text.
pub fn digest_text(sim: &mut Sim) -> String {
    format!("{:016x}", digest(sim))
}

/// The result of a run up to now.
pub fn report(sim: &mut Sim) -> RunReport {
    let digest = digest_text(sim);
    let sim = sim.refresh();
    let values = metrics(sim);
    let plan = sim.plan();
    let lane = &plan.lanes[sim.lane()];
    let counters = sim.counters();
    RunReport {
        scenario: plan.scenario.name.clone(),
        machine: plan.machine.spec().id.clone(),
        scheduler: lane.info.id.to_owned(),
        era: lane.era.id.to_owned(),
        seed: plan.seed,
        from_ns: sim.measured_from().0,
        elapsed_ns: sim.now().0 - sim.measured_from().0,
        applications: plan
            .uneven_applications(sim.lane())
            .into_iter()
            .map(str::to_owned)
            .collect(),
        slice_hints: slices::of_plan(plan, sim.lane()),
        groups: groups(sim),
        threads: (0..sim.task_count())
            .map(|i| thread(sim, TaskId::new(i)))
            .collect(),
        cpus: plan.machine.cpu_ids().map(|c| cpu(sim, c)).collect(),
        metrics: by_name(METRICS.iter().map(|m| m.entry.id).zip(values)),
        counters: counters
            .into_iter()
            .map(|(name, n)| (name.to_owned(), n))
            .collect(),
        cgroups: cgroups::counted(sim),
        reasons: reason_counts(&sim),
        fault: sim.fault().cloned(),
        digest,
    }
}

/// Numbers by name, without those that are not defined.
fn by_name(values: impl Iterator<Item = (&'static str, f64)>) -> BTreeMap<String, f64> {
    let defined = values.filter(|(_, v)| v.is_finite());
    defined.map(|(name, v)| (name.to_owned(), v)).collect()
}

/// Totals of a thread.
#[must_use]
pub fn thread(sim: UpToDate<'_>, task: TaskId) -> ThreadReport {
    let view = sim.task_view(task);
    let a = &sim.measured_task(task);
    debug_assert!(view.state != TaskState::Exited || a.exited_at_ns.is_some());
    let causes = CAUSE_ENTRIES.iter().map(|c| c.id);
    ThreadReport {
        name: sim.task_name(task),
        group: sim.plan().groups[view.info.group.index()].name.clone(),
        background: view.info.background,
        nice: view.info.nice,
        cpu_ns: a.run_ns,
        work_ns: work_ns(a),
        wait_ns: a.wait_ns,
        sleep_ns: a.sleep_ns,
        longest_wait_ns: a.longest_wait_ns,
        longest_first_wait_ns: a.longest_first_wait_ns,
        switches: a.switches,
        involuntary: a.involuntary,
        migrations: a.migrations,
        placements: a.placements,
        by_cause_ns: by_name(causes.zip(a.by_cause.map(|q20| real(q20 >> 10) / 1024.0))),
        exited_at_ns: a.exited_at_ns,
    }
}

fn cpu(sim: UpToDate<'_>, cpu: CpuId) -> CpuReport {
    let a = sim.measured_cpu(cpu);
    CpuReport {
        cpu: cpu.0,
        busy_ns: a.busy_ns.saturating_sub(a.switch_ns),
        idle_ns: a.idle_ns,
        overhead_ns: a.switch_ns,
    }
}

/// Totals of the groups, those of the background last.
#[must_use]
pub fn groups(sim: UpToDate<'_>) -> Vec<GroupReport> {
    let of = |g: &GroupPlan| GroupReport {
        name: g.name.clone(),
        background: g.background,
        threads: 0,
        cpu_ns: 0,
        share: 0.0,
        work_ns: 0.0,
        wait_ns: 0,
        longest_wait_ns: 0,
        longest_first_wait_ns: 0,
        switches: 0,
        migrations: 0,
        placements: 0,
    };
    let mut groups: Vec<GroupReport> = sim.plan().groups.iter().map(of).collect();
    for task in (0..sim.task_count()).map(TaskId::new) {
        let a = sim.measured_task(task);
        let g = &mut groups[sim.task_view(task).info.group.index()];
        g.threads += 1;
        g.cpu_ns += a.run_ns;
        g.work_ns += work_ns(&a);
        g.wait_ns += a.wait_ns;
        g.longest_wait_ns = a.longest_wait_ns.max(g.longest_wait_ns);
        g.longest_first_wait_ns = a.longest_first_wait_ns.max(g.longest_first_wait_ns);
        g.switches += a.switches;
        g.migrations += a.migrations;
        g.placements += a.placements;
    }
    let all: u64 = groups.iter().map(|g| g.cpu_ns).sum();
    for g in groups.iter_mut().filter(|_| all > 0) {
        g.share = real(g.cpu_ns) / real(all);
    }
    groups
}

/// Kept decisions for display, from a number on towards older or newer ones, or from that end. They may be limited to a
/// thread, a CPU, a kind or a reason.
#[must_use]
pub fn decisions(
    sim: &Sim,
    from: Option<u64>,
    newer: bool,
    max: usize,
    about: DecisionFilter,
    kind: &str,
) -> Vec<DecisionView> {
    let reasons = sim.reasons();
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

/// How often each reason was given: rows of reason, CPU, task and count. See [`ReasonCount`].
#[must_use]
pub fn reason_rows(sim: &Sim) -> Vec<f64> {
    let tally = sim.decisions().tally();
    let mut rows = Vec::new();
    let mut add = |reason: u16, cpu: f64, task: f64, n: u64| {
        if n > 0 {
            rows.extend([f64::from(reason), cpu, task, real(n)]);
        }
    };
    for reason in 0..u16::try_from(tally.reasons()).unwrap_or(u16::MAX) {
        add(reason, -1.0, -1.0, tally.total(reason));
        for cpu in sim.plan().machine.cpu_ids() {
            add(reason, f64::from(cpu.0), -1.0, tally.on_cpu(cpu, reason));
        }
        for task in (0..sim.task_count()).map(TaskId::new) {
            add(reason, -1.0, f64::from(task.0), tally.of_task(task, reason));
        }
    }
    rows
}

/// The reasons that were given at least once.
fn reason_counts(sim: &Sim) -> Vec<ReasonCount> {
    let tally = sim.decisions().tally();
    let codes = (0_u16..).zip(sim.reasons());
    codes
        .filter(|(code, _)| tally.total(*code) > 0)
        .map(|(code, entry)| {
            let mut by_cpu = BTreeMap::new();
            for cpu in sim.plan().machine.cpu_ids() {
                let n = tally.on_cpu(cpu, code);
                if n > 0 {
                    by_cpu.insert(cpu.0, n);
                }
            }
            let mut by_thread = BTreeMap::new();
            for task in (0..sim.task_count()).map(TaskId::new) {
                let n = tally.of_task(task, code);
                if n > 0 {
                    by_thread.insert(sim.task_name(task), n);
                }
            }
            ReasonCount {
                reason: entry.id,
                kind: entry.kind,
                count: tally.total(code),
                by_cpu,
                by_thread,
            }
        })
        .collect()
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
    /// Names of the control groups. Schedulers give them the numbers from 1 on.
    pub cgroups: Vec<String>,
}

/// A group of threads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// Name.
    pub name: String,
    /// Whether it is not part of the measured workload.
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
        cgroups: sim
            .plan()
            .cgroups
            .groups
            .iter()
            .map(|g| g.name.clone())
            .collect(),
    }
}
