//! Cases that are tables of numbers. The numbers are observed in runs, as any user could observe them.

use super::case::{Offsets, Run, ShareLaw, Threads};
use super::observe;
use super::setup;
use sim_run::ids::{CpuId, TaskId};
use sim_run::sched::bfs::smt_nice;
use sim_run::time::SimTime;

fn threads(name: &str, nice: i8) -> Threads {
    Threads {
        name: name.to_owned(),
        nice,
        ..Threads::default()
    }
}

/// Deadlines of new threads, created in jiffy 0.
pub(super) fn offsets(table: &Offsets) -> Vec<String> {
    let mut wrong = Vec::new();
    for (nice, jiffies) in &table.jiffies {
        let run = Run {
            hz: table.hz,
            rr: table.rr,
            threads: vec![threads("p", *nice)],
            end: "1ms".to_owned(),
            ..Run::default()
        };
        let seen = setup::plan("offsets", &run).map(|plan| {
            let mut sim = setup::start(&plan, true, 0);
            sim.run_until(SimTime::ZERO);
            observe::deadline(sim.refresh(), TaskId(0), u64::from(table.hz))
        });
        if seen != Ok(*jiffies) {
            wrong.push(format!(
                "nice {nice}: expected {jiffies} jiffies, saw {seen:?}"
            ));
        }
    }
    wrong
}

/// Full slices on machines with one CPU per core.
pub(super) fn default_slice(table: &[(usize, u64)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (cpus, ms) in table {
        let run = Run {
            machine: format!("1x{cpus}x1"),
            threads: vec![threads("p", 0)],
            end: "1ms".to_owned(),
            ..Run::default()
        };
        let seen = setup::plan("default slice", &run).map(|plan| {
            let mut sim = setup::start(&plan, true, 0);
            sim.run_until(SimTime::ZERO);
            sim.refresh()
                .scheduler()
                .slice(TaskId(0), Some(CpuId(0)))
                .full_ns
        });
        if seen != Ok(i64::try_from(ms * 1_000_000).expect("small")) {
            wrong.push(format!("{cpus} CPUs: expected {ms} ms, saw {seen:?} ns"));
        }
    }
    wrong
}

/// The nice table of the release: each level is 11/10 of the one before, rounded down. It is written here again, so
/// that the closed form does not come from the code under test.
fn ratio(base: u64, nice: i8) -> u64 {
    (-20..nice).fold(base, |ratio, _| ratio * 11 / 10)
}

/// The difference between the deadlines of two nice values, in ticks. 0.318 rounds each offset down to jiffies. Later
/// releases count ns, of which a CPU sees whole ticks.
fn gap(law: &ShareLaw, hz: u64, a: i8, b: i8) -> u64 {
    if law.era.is_none() {
        let offset = |nice| (ratio(100, nice) * law.rr * hz / 100_000).max(1);
        offset(b).abs_diff(offset(a))
    } else {
        let offset = |nice| ratio(128, nice) * law.rr * 8_192;
        offset(b).abs_diff(offset(a)).div_ceil(1_000_000_000 / hz)
    }
}

/// Differences from the rule of SMT nice.
pub(super) fn smt_nice(rows: &[(i64, i64, u8)]) -> Vec<String> {
    rows.iter()
        .filter(|(bias, best, yes)| smt_nice::may_run_beside(*bias, *best) != (*yes == 1))
        .map(|(bias, best, yes)| format!("{bias} beside {best}: expected {yes}"))
        .collect()
}

/// Shares of two hogs for every pair and tick rate.
#[allow(clippy::cast_precision_loss)] // small numbers
pub(super) fn share_law(law: &ShareLaw) -> Vec<String> {
    let mut wrong = Vec::new();
    for hz in &law.hz {
        for (a, b) in &law.pairs {
            let slice = (law.rr * hz).div_ceil(1_000);
            let gap = gap(law, *hz, *a, *b).max(slice);
            let expected = slice as f64 / (slice + gap) as f64;
            match less_favoured_share(law, *hz, *a.min(b), *a.max(b)) {
                Ok(seen) if (seen - expected).abs() <= law.tolerance => {}
                seen => wrong.push(format!(
                    "nice {a} and {b} at HZ {hz}: expected {expected:.5}, saw {seen:.5?}"
                )),
            }
        }
    }
    wrong
}

#[allow(clippy::cast_precision_loss)] // far below 2^53
fn less_favoured_share(law: &ShareLaw, hz: u64, nice: i8, nicer: i8) -> Result<f64, String> {
    let run = Run {
        era: law.era.clone(),
        hz: u32::try_from(hz).expect("small"),
        rr: u32::try_from(law.rr).expect("small"),
        threads: vec![threads("a", nice), threads("b", nicer)],
        end: format!("{}s", law.seconds + 5),
        ..Run::default()
    };
    let plan = setup::plan("share law", &run)?;
    let mut sim = setup::start(&plan, true, 0);
    // The first turns depend on which hog came first.
    let from = 5_000_000_000;
    sim.run_until(SimTime(from));
    let before = observe::cpu_ns(&mut sim, TaskId(1));
    sim.run_until(sim.end());
    let ran = observe::cpu_ns(&mut sim, TaskId(1)) - before;
    Ok(ran as f64 / (sim.end().0 - from) as f64)
}
