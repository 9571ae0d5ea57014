//! Probes read values off a run. Each has one function and one line of [`PROBES`]. All of them read the threads of the
//! workload, and append a value for each of their columns at each reading.

use super::parts;
use crate::engine::{Sim, UpToDate};
use crate::error::ConfigError;
use crate::ids::{CpuId, TaskId};
use crate::metrics::efficiency::elapsed_to_cpu;
use crate::metrics::registry::METRICS;
use crate::metrics::{real, work_ns};
use crate::report;
use crate::text::quoted;
use crate::trace::accounts::TaskAccount;
use crate::trace::{SwitchCode, TraceKind};
use sim_measure::loads;

/// A probe.
pub struct Probe {
    /// Id.
    pub id: &'static str,
    /// Number of trace records that the run keeps for it.
    pub records: usize,
    /// A value that is watched between readings. Its largest value since the last reading, and the time for which it
    /// was above [`LEVEL`], come before each reading: between two readings it may be larger than at both.
    pub watch: Option<fn(&Sim) -> f64>,
    /// Names of the values that it reads; those of the watched value come before them.
    pub columns: fn(UpToDate<'_>) -> Vec<String>,
    /// Appends the values that it reads, in the order of the columns.
    pub look: fn(UpToDate<'_>, &mut Vec<f64>),
}

/// Columns of the value that is watched between two readings: its largest value, and the ns for which it was above
/// [`LEVEL`].
pub const WATCHED: &str = "watched";
/// See [`WATCHED`].
pub const ABOVE: &str = "watchedAboveNs";
/// A difference of one thread, which no scheduler can avoid.
pub const LEVEL: f64 = 1.0;

impl Probe {
    /// Names of the values of a reading.
    #[must_use]
    pub fn names(&self, sim: UpToDate<'_>) -> Vec<String> {
        let watched = self.watch.map(|_| named(&[WATCHED, ABOVE]));
        let watched = watched.into_iter().flatten();
        watched.chain((self.columns)(sim)).collect()
    }
}

/// All probes.
pub const PROBES: &[Probe] = &[
    Probe {
        id: "exits",
        records: 0,
        watch: None,
        columns: exits_columns,
        look: exits,
    },
    Probe {
        id: "totals",
        records: 0,
        watch: None,
        columns: totals_columns,
        look: totals,
    },
    Probe {
        id: "threads",
        records: 0,
        watch: None,
        columns: threads_columns,
        look: threads,
    },
    Probe {
        id: "measures",
        records: 0,
        watch: None,
        columns: measures_columns,
        look: measures,
    },
    Probe {
        id: "sweep",
        records: 0,
        watch: None,
        columns: sweep_columns,
        look: sweep,
    },
    Probe {
        id: "reasons",
        records: 0,
        watch: None,
        columns: reasons_columns,
        look: reasons,
    },
    Probe {
        id: "groups",
        records: 0,
        watch: None,
        columns: groups_columns,
        look: groups,
    },
    Probe {
        id: "latency",
        records: 0,
        watch: None,
        columns: latency_columns,
        look: latency,
    },
    Probe {
        id: "queues",
        records: 0,
        watch: None,
        columns: queues_columns,
        look: queues,
    },
    Probe {
        id: "queuesWatched",
        records: 0,
        watch: Some(spread),
        columns: queues_columns,
        look: queues,
    },
    Probe {
        id: "preemptions",
        records: 1 << 20,
        watch: None,
        columns: preemptions_columns,
        look: preemptions,
    },
    Probe {
        id: "jobs",
        records: 0,
        watch: None,
        columns: jobs_columns,
        look: jobs,
    },
];

/// The probe of an id.
///
/// # Errors
/// If there is none; the message names all.
pub fn find(id: &str) -> Result<&'static Probe, Vec<ConfigError>> {
    PROBES.iter().find(|p| p.id == id).ok_or_else(|| {
        let known: Vec<&str> = PROBES.iter().map(|p| p.id).collect();
        let (known, got) = (known.join(", "), quoted(id));
        let message = format!("must be one of {known}; got \"{got}\"");
        vec![ConfigError::new("probe", message)]
    })
}

/// Accounts of the threads of the workload, in the order of their numbers.
fn accounts(sim: UpToDate<'_>) -> impl Iterator<Item = &TaskAccount> + Clone {
    (0..sim.task_count())
        .map(TaskId::new)
        .filter(move |t| !sim.task_view(*t).info.background)
        .map(move |t| sim.account(t))
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

/// Names of the workload's threads, in the order of their numbers, each combined with the columns.
fn of_threads(sim: UpToDate<'_>, columns: &[&str]) -> Vec<String> {
    let each = (0..accounts(sim).count()).flat_map(|i| {
        let column = move |c: &&str| format!("thread/{i}/{c}");
        columns.iter().map(column)
    });
    each.collect()
}

/// Names of the groups, each combined with the columns, after the time.
fn of_groups(sim: UpToDate<'_>, columns: &[&str]) -> Vec<String> {
    let groups = sim.plan().groups.iter();
    let each = groups.flat_map(|g| columns.iter().map(|c| format!("{}/{c}", g.name)));
    [NOW.to_owned()].into_iter().chain(each).collect()
}

/// Name of the column with the time of a reading in ns.
const NOW: &str = "elapsedNs";

fn exits_columns(_: UpToDate<'_>) -> Vec<String> {
    named(&["firstExitNs", "lastExitNs", "cpuPerThreadNs", "efficiency"])
}

/// First exit and last exit in ns, CPU time per thread in ns, and the measure `efficiency`.
fn exits(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let exits = accounts(sim).filter_map(|a| a.exited_at_ns).map(real);
    let cpu = cpu_per_thread(sim);
    let last = exits.clone().fold(0.0, f64::max);
    let cpus = sim.plan().machine.cpu_count();
    let efficiency = elapsed_to_cpu(accounts(sim), cpus, sim.now().0);
    out.extend([exits.fold(f64::INFINITY, f64::min), last, cpu, efficiency]);
}

fn cpu_per_thread(sim: UpToDate<'_>) -> f64 {
    let n = accounts(sim).count() as u64;
    accounts(sim).map(|a| real(a.run_ns)).sum::<f64>() / real(n)
}

fn totals_columns(_: UpToDate<'_>) -> Vec<String> {
    named(&[NOW, "cpuNs", "workNs", "coreNs", "moves", "parentsNs"])
}

/// Time, CPU time, work at full speed and time integral of the cores in use, all in ns; migrations; and CPU time of
/// parents that fork and wait in ns, which is not included in the others.
fn totals(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let sum = |value: fn(&TaskAccount) -> f64| accounts(sim).map(value).sum::<f64>();
    out.extend([
        real(sim.now().0),
        sum(|a| real(a.run_ns)),
        sum(work_ns),
        real(sim.workload_core_ns()),
        sum(|a| real(a.migrations)),
        parents_ns(sim),
    ]);
}

fn parents_ns(sim: UpToDate<'_>) -> f64 {
    let groups = &sim.plan().groups;
    let group = |t: TaskId| &groups[sim.task_view(t).info.group.index()];
    let tasks = (0..sim.task_count()).map(TaskId::new);
    let parents = tasks.filter(|t| group(*t).parent_of.is_some());
    parents.map(|t| real(sim.account(t).run_ns)).sum()
}

fn threads_columns(sim: UpToDate<'_>) -> Vec<String> {
    of_threads(sim, &["cpuNs"])
}

/// CPU time of each thread in ns.
fn threads(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    out.extend(accounts(sim).map(|a| real(a.run_ns)));
}

fn reasons_columns(sim: UpToDate<'_>) -> Vec<String> {
    let reasons = sim.reasons().iter();
    reasons.map(|r| format!("reason/{}", r.id)).collect()
}

/// How often each reason of the lane's scheduler was given, in the order of its table.
fn reasons(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let tally = sim.decisions().tally();
    let codes = 0..u16::try_from(tally.reasons()).unwrap_or(u16::MAX);
    out.extend(codes.map(|code| real(tally.total(code))));
}

fn measures_columns(_: UpToDate<'_>) -> Vec<String> {
    let times = super::sweep::TIMES.iter().copied();
    times
        .chain(METRICS.iter().map(|m| m.entry.id))
        .map(str::to_owned)
        .collect()
}

/// The [times](super::sweep::TIMES) of a sweep, then all measures of the registry; NaN where one is not defined.
fn measures(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let exits: Option<Vec<f64>> = accounts(sim).map(|a| a.exited_at_ns.map(real)).collect();
    let of = |pick: fn(f64, f64) -> f64| exits.iter().flatten().copied().reduce(pick);
    let (first, last) = (
        of(f64::min).unwrap_or(f64::NAN),
        of(f64::max).unwrap_or(f64::NAN),
    );
    out.extend([real(sim.now().0), cpu_per_thread(sim), first, last]);
    out.extend(report::metrics(sim));
}

fn sweep_columns(sim: UpToDate<'_>) -> Vec<String> {
    let mut all = named(&["events", "digestHigh", "digestLow", "groups"]);
    all.extend(measures_columns(sim));
    parts::columns(sim, &mut all);
    all
}

/// Number of events; the upper and the lower half of the digest; number of groups; [`measures`]; then the columns of
/// groups and threads from [`parts`](super::parts).
fn sweep(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let digest = report::digest_of(sim);
    let halves = [digest >> 32, digest & u64::from(u32::MAX)];
    out.push(real(sim.handled()));
    out.extend(halves.map(real));
    out.push(real(sim.plan().groups.len() as u64));
    measures(sim, out);
    parts::append(sim, out);
}

fn groups_columns(sim: UpToDate<'_>) -> Vec<String> {
    of_groups(sim, &["cpuNs", "ended", "lastExitNs", "longestWaitNs"])
}

/// Accounts of the threads of each group of the workload.
fn by_group(sim: UpToDate<'_>) -> Vec<Vec<&TaskAccount>> {
    let mut groups = vec![Vec::new(); sim.plan().groups.len()];
    for task in (0..sim.task_count()).map(TaskId::new) {
        let info = sim.task_view(task).info;
        if !info.background {
            groups[info.group.index()].push(sim.account(task));
        }
    }
    groups
}

/// The longest wait of a thread that has ended, including the wait before its first run.
fn longest(a: &TaskAccount) -> u64 {
    a.longest_wait_ns.max(a.longest_first_wait_ns)
}

/// Time in ns; then for each group: CPU time in ns, number of threads that ended, the time in ns at which the last of
/// them ended, and the longest wait of a thread in ns.
fn groups(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    out.push(real(sim.now().0));
    for group in by_group(sim) {
        let ended = group.iter().filter_map(|a| a.exited_at_ns);
        out.extend([
            real(group.iter().map(|a| a.run_ns).sum()),
            real(ended.clone().count() as u64),
            real(ended.max().unwrap_or(0)),
            real(group.iter().map(|a| longest(a)).max().unwrap_or(0)),
        ]);
    }
}

fn queues_columns(sim: UpToDate<'_>) -> Vec<String> {
    let cpus = (0..sim.plan().machine.cpu_count()).map(|c| format!("cpu/{c}/runnable"));
    let before = named(&[NOW, "schedulerMoves", "balances"]);
    before.into_iter().chain(cpus).collect()
}

fn latency_columns(sim: UpToDate<'_>) -> Vec<String> {
    of_groups(sim, &["meanWaitNs", "longestWaitNs"])
}

/// Time in ns; then for each group: the waiting time of its threads per switch to them, and the longest wait, both in
/// ns.
fn latency(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    out.push(real(sim.now().0));
    for group in by_group(sim) {
        let sum = |value: fn(&TaskAccount) -> u64| -> u64 { group.iter().map(|a| value(a)).sum() };
        out.extend([
            real(sum(|a| a.wait_ns)) / real(sum(|a| a.switches)),
            real(group.iter().map(|a| longest(a)).max().unwrap_or(0)),
        ]);
    }
}

/// Counters of schedulers that count threads moved to another queue and runs of the balancer.
const MOVES: [&str; 4] = ["pulled", "pushed", "balanceMoves", "idleSteals"];
const BALANCES: [&str; 2] = ["loadBalances", "balanceRuns"];

/// Time in ns, number of threads that the scheduler moved to another queue, and number of runs of its balancer; then
/// the number of runnable threads of each CPU, including the running one.
fn queues(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let counters = sim.counters();
    let sum = |names: &[&str]| -> u64 {
        let named = counters.iter().filter(|c| names.contains(&c.0));
        named.map(|c| c.1).sum()
    };
    out.extend([real(sim.now().0), real(sum(&MOVES)), real(sum(&BALANCES))]);
    out.extend(loads(&sim).into_iter().map(real));
}

/// Difference between the longest and the shortest queue.
fn spread(sim: &Sim) -> f64 {
    let loads = loads(sim);
    let (most, least) = (loads.iter().max(), loads.iter().min());
    real(most.unwrap_or(&0) - least.unwrap_or(&0))
}

fn preemptions_columns(sim: UpToDate<'_>) -> Vec<String> {
    of_groups(sim, &["workNs", "lastExitNs", "preempted", "involuntary"])
}

/// Time in ns; then for each group: work at full speed in ns, the time in ns at which its last thread ended, how often
/// its threads had to leave a CPU at an instant at which a thread was woken, and how often they left against their will
/// in total. The preemptions are NaN if there were more records than are kept.
fn preemptions(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let trace = sim.trace();
    let whole = trace.kept().len() as u64 == trace.next_seq();
    let mut preempted = vec![0_u64; sim.plan().groups.len()];
    let mut woken_at = None;
    for r in trace.kept() {
        match r.kind {
            TraceKind::Wakeup => woken_at = Some(r.at),
            TraceKind::Switch
                if r.reason == SwitchCode::Involuntary as i32 && woken_at == Some(r.at) =>
            {
                if let Ok(left) = usize::try_from(r.other) {
                    let left = sim.task_view(TaskId::new(left));
                    preempted[left.info.group.index()] += 1;
                }
            }
            _ => {}
        }
    }
    out.push(real(sim.now().0));
    for (group, n) in by_group(sim).iter().zip(preempted) {
        let ended = group.iter().filter_map(|a| a.exited_at_ns).max();
        out.extend([
            group.iter().copied().map(work_ns).sum::<f64>(),
            real(ended.unwrap_or(0)),
            if whole { real(n) } else { f64::NAN },
            real(group.iter().map(|a| a.involuntary).sum()),
        ]);
    }
}

/// Columns of [`jobs`]: totals since the start, over all groups at which jobs arrive.
const JOBS: [&str; 11] = [
    NOW,
    "busyNs",
    "idleWhileWaitingNs",
    "arrived",
    "started",
    "finished",
    "lost",
    "waitNs",
    "responseNs",
    "workNs",
    "inSystemNs",
];

fn jobs_columns(_: UpToDate<'_>) -> Vec<String> {
    named(&JOBS)
}

/// Time in ns, time of all CPUs with a thread, and time of CPUs that were idle while a thread waited. Then, for the
/// jobs that arrive by themselves: how many arrived, started, finished and were lost, the sums of their waits and
/// responses, their work, and the time integral of their number. To leave out a warm-up, the caller subtracts its
/// readings.
fn jobs(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    let cpus = (0..sim.plan().machine.cpu_count()).map(CpuId::new);
    let busy = cpus.map(|c| sim.cpu_account(c).busy_ns).sum();
    let jobs = sim.jobs();
    let values: [u64; JOBS.len()] = [
        sim.now().0,
        busy,
        sim.idle_while_waiting_ns(),
        jobs.arrived,
        jobs.started,
        jobs.finished,
        jobs.lost,
        jobs.wait_ns,
        jobs.response_ns,
        jobs.work_ns,
        jobs.in_system_ns,
    ];
    out.extend(values.map(real));
}
