//! Probes: what is read off a run. One function and one line of [`PROBES`] each; all of them look at the threads of the
//! workload, and append a fixed number of values each time they look.

use crate::engine::Sim;
use crate::error::ConfigError;
use crate::ids::TaskId;
use crate::metrics::{real, work_ns};
use crate::report;
use crate::trace::accounts::TaskAccount;

/// Something that can be read off.
pub struct Probe {
    /// Id.
    pub id: &'static str,
    /// Appends what it sees.
    pub look: fn(&mut Sim, &mut Vec<f64>),
}

/// All probes.
pub const PROBES: &[Probe] = &[
    Probe {
        id: "exits",
        look: exits,
    },
    Probe {
        id: "totals",
        look: totals,
    },
    Probe {
        id: "threads",
        look: threads,
    },
    Probe {
        id: "measures",
        look: measures,
    },
];

/// The probe of an id.
///
/// # Errors
/// If there is none; the message names all.
pub fn find(id: &str) -> Result<&'static Probe, Vec<ConfigError>> {
    PROBES.iter().find(|p| p.id == id).ok_or_else(|| {
        let known: Vec<&str> = PROBES.iter().map(|p| p.id).collect();
        let message = format!("must be one of {}; got \"{id}\"", known.join(", "));
        vec![ConfigError::new("probe", message)]
    })
}

/// Accounts of the threads of the workload, in the order of their numbers.
fn accounts(sim: &Sim) -> impl Iterator<Item = &TaskAccount> + Clone {
    (0..sim.task_count())
        .map(|i| sim.task_view(TaskId::new(i)))
        .filter(|t| !t.info.background)
        .map(|t| t.account)
}

/// First exit and last exit in ns, CPU time per thread in ns, and what a perfect scheduler would make 1: the time until
/// the last exit times the CPUs that can be busy, over all CPU time.
fn exits(sim: &mut Sim, out: &mut Vec<f64>) {
    let exits = accounts(sim).filter_map(|a| a.exited_at_ns).map(real);
    let n = accounts(sim).count() as u64;
    let cpu = cpu_per_thread(sim);
    let last = exits.clone().fold(0.0, f64::max);
    let busy = n.min(sim.plan().machine.cpu_count() as u64);
    let efficiency = last * real(busy) / (cpu * real(n));
    out.extend([exits.fold(f64::INFINITY, f64::min), last, cpu, efficiency]);
}

fn cpu_per_thread(sim: &Sim) -> f64 {
    let n = accounts(sim).count() as u64;
    accounts(sim).map(|a| real(a.run_ns)).sum::<f64>() / real(n)
}

/// Time, CPU time, work at full speed and time integral of the cores in use, all in ns; moves between CPUs.
fn totals(sim: &mut Sim, out: &mut Vec<f64>) {
    let sum = |value: fn(&TaskAccount) -> f64| accounts(sim).map(value).sum::<f64>();
    out.extend([
        real(sim.now().0),
        sum(|a| real(a.run_ns)),
        sum(work_ns),
        real(sim.workload_core_ns()),
        sum(|a| real(a.migrations)),
    ]);
}

/// CPU time of each thread in ns.
fn threads(sim: &mut Sim, out: &mut Vec<f64>) {
    out.extend(accounts(sim).map(|a| real(a.run_ns)));
}

/// The [times](super::sweep::TIMES) of a sweep, then all measures of the registry; NaN where one is not defined.
fn measures(sim: &mut Sim, out: &mut Vec<f64>) {
    let exits: Option<Vec<f64>> = accounts(sim).map(|a| a.exited_at_ns.map(real)).collect();
    let of = |pick: fn(f64, f64) -> f64| exits.iter().flatten().copied().reduce(pick);
    let (first, last) = (
        of(f64::min).unwrap_or(f64::NAN),
        of(f64::max).unwrap_or(f64::NAN),
    );
    out.extend([real(sim.now().0), cpu_per_thread(sim), first, last]);
    out.extend(report::metrics(sim));
}
