//! Every record names the decision that led to it, not the latest one.

use crate::properties::{attempt, config, scenario};
use crate::support::{
    Case, MS, checked, lanes, plan, schedulers, shipped, shipped_scenario, start,
};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim};
use sim_run::sched::decision::Decision;
use sim_run::sched::registry::ALL;
use sim_run::time::SimTime;
use sim_run::trace::{TraceKind, TraceRecord};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Options that keep everything.
pub(crate) fn keeping() -> Options {
    Options {
        trace_limit: 1 << 22,
        decision_limit: 1 << 22,
        ..checked()
    }
}

/// Number of records of each kind that were checked.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    pub(crate) to_threads: usize,
    pub(crate) to_idle: usize,
    pub(crate) migrations: usize,
    pub(crate) wakeups: usize,
    pub(crate) queues: usize,
}

fn found(sim: &Sim, id: i64) -> Option<&Decision> {
    let id = u64::try_from(id).ok()?;
    let decision = sim.decisions().get(id);
    assert!(decision.is_some(), "decision {id} is kept");
    decision
}

/// The error in the decisions of a record.
fn fault(sim: &Sim, r: &TraceRecord, looked: &mut Looked) -> Option<String> {
    let (why, also) = (found(sim, r.decision), found(sim, r.also));
    let later = |d: &&Decision| d.at > r.at;
    if [why, also].into_iter().flatten().find(later).is_some() {
        return Some("a decision comes after what it led to".to_owned());
    }
    let about_thread = |d: Option<&Decision>| d.is_none_or(|d| i64_of(d) == r.task);
    let needed = match r.kind {
        TraceKind::Switch if r.task < 0 => {
            looked.to_idle += 1;
            let here =
                |d: &Decision| d.task.is_none() && d.cpu.is_some_and(|c| i32::from(c.0) == r.cpu);
            return why
                .filter(|d| !here(d))
                .map(|d| format!("an idle CPU names {d:?}"));
        }
        TraceKind::Switch => {
            looked.to_threads += 1;
            if let Some(d) = why.filter(|d| d.at != r.at) {
                return Some(format!("it runs now because of an older pick: {d:?}"));
            }
            true
        }
        TraceKind::Migrate => {
            looked.migrations += 1;
            true
        }
        TraceKind::Queue => {
            looked.queues += 1;
            true
        }
        TraceKind::Wakeup | TraceKind::Fork => {
            looked.wakeups += 1;
            false
        }
        _ => return None,
    };
    if needed && why.is_none() {
        return Some("no decision".to_owned());
    }
    if matches!(r.kind, TraceKind::Switch | TraceKind::Migrate) && also.is_none() {
        return Some("only one decision".to_owned());
    }
    if about_thread(why) && about_thread(also) {
        None
    } else {
        Some(format!("another thread's decision: {why:?}, {also:?}"))
    }
}

fn i64_of(d: &Decision) -> i64 {
    d.task.map_or(-1, |t| i64::from(t.0))
}

/// Checks all records of a run.
pub(crate) fn examine(sim: &Sim, name: &str) -> Looked {
    let mut looked = Looked::default();
    for r in sim.trace().from_seq(0) {
        if let Some(what) = fault(sim, r, &mut looked) {
            panic!("{name}: {what}\n{r:?}");
        }
    }
    looked
}

/// Runs a lane of a shipped scenario for a while and checks its records.
fn examined(id: &str, lane: usize, until_ns: u64) -> Looked {
    let scenario = shipped_scenario(id);
    let plan = Arc::new(sim_run::config::validate::plan(&scenario).expect("valid"));
    let mut sim = Sim::new(&plan, lane, keeping());
    sim.run_until(SimTime(until_ns));
    examine(&sim, id)
}

#[test]
fn every_record_of_every_shipped_scenario_names_its_own_decision() {
    let mut all = Looked::default();
    for Case { name, plan, .. } in shipped(60 * MS) {
        let mut sim = start(&plan, keeping());
        sim.run_until(sim.end());
        let looked = examine(&sim, &name);
        all.to_threads += looked.to_threads;
        all.migrations += looked.migrations;
        all.queues += looked.queues;
    }
    assert!(all.to_threads > 1_000, "{all:?}");
    // Where one is asked for, it need not move threads.
    if schedulers().len() < ALL.schedulers.len() {
        return;
    }
    assert!(all.to_threads > 10_000, "{all:?}");
    assert!(all.migrations > 500, "{all:?}");
    assert!(all.queues > 100, "{all:?}");
}

#[test]
fn switches_and_moves_of_bfs_named_decisions_about_other_threads() {
    let looked = examined("s4-i7980x", 2, 600 * MS);
    assert!(looked.to_threads >= 40, "{looked:?}");
    assert!(looked.migrations >= 40, "{looked:?}");
}

#[test]
fn switches_of_ule_named_a_change_of_priority_instead_of_the_pick() {
    let looked = examined("s2a-interactive-batch", 2, 500 * MS);
    assert!(looked.to_threads >= 40, "{looked:?}");
    let scenario = shipped_scenario("s2a-interactive-batch");
    let plan = Arc::new(sim_run::config::validate::plan(&scenario).expect("valid"));
    let mut sim = Sim::new(&plan, 2, keeping());
    sim.run_until(SimTime(500 * MS));
    for r in sim.trace().from_seq(0) {
        if r.kind == TraceKind::Switch && r.task >= 0 {
            let kind =
                sim.reasons()[usize::from(found(&sim, r.decision).expect("one").reason)].kind;
            assert_eq!(kind, "pickNext", "{r:?}");
        }
    }
}

#[test]
fn switches_to_idle_repeated_an_older_switch() {
    let looked = examined("bfs-smt", 0, 2_000 * MS);
    assert!(looked.to_idle >= 40, "{looked:?}");
}

/// Hogs, two of which begin on one CPU of many; a third CPU becomes free and takes one.
fn pinned_then_free() -> Value {
    json!({
        "version": 1, "name": "hogs that were bound to one CPU", "machine": "i7860",
        "groups": [{ "name": "hog", "count": 3, "behaviour": { "kind": "loop" }, "allowed": [0] }],
        "edits": [{ "atNs": 300 * MS, "edit": { "kind": "unpin", "target": { "group": "hog" } } }],
        "end": { "atNs": 2_000 * MS },
    })
}

#[test]
fn a_thread_that_waits_after_a_move_has_both_whys() {
    let mut seen = 0;
    for lane in lanes() {
        let mut scenario = pinned_then_free();
        scenario["schedulers"] = json!([lane]);
        let plan: Arc<Plan> = plan(&scenario);
        let mut sim = start(&plan, keeping());
        sim.run_until(sim.end());
        examine(&sim, &format!("{lane}"));
        let differ = |r: &&TraceRecord| {
            r.kind == TraceKind::Migrate && r.decision != r.also && r.decision >= 0
        };
        seen += sim.trace().from_seq(0).filter(differ).count();
    }
    // Where one is asked for, it need not be the one that does.
    let some = schedulers().len() < ALL.schedulers.len();
    assert!(
        seen > 0 || some,
        "some scheduler moves a thread before it runs there"
    );
}

#[test]
fn every_record_of_random_scenarios_names_its_own_decision() {
    let looked = AtomicUsize::new(0);
    let result = TestRunner::new(config(60)).run(&scenario(), |scenario| {
        attempt(&scenario, || {
            let mut sim = start(&plan(&scenario), keeping());
            sim.advance(sim.end(), 12_000);
            let found = examine(&sim, "a random scenario");
            let n = found.to_threads + found.to_idle + found.migrations;
            looked.fetch_add(n, Ordering::Relaxed);
        })
    });
    if let Err(e) = result {
        panic!("{e}");
    }
    let looked = looked.into_inner();
    assert!(looked > 5_000, "only {looked} records");
}
