//! NUMA balancing: no page is lost whatever threads do, a run is the same however it is carried out, and machines with
//! one node have none of it. Facts about the kernels' rules are cases (`conformance/*/numa.toml`).

use crate::support::{
    MS, assert_same, at_percent, checked, every_tick, outcome, plan, start, straight,
};
use serde_json::{Value, json};
use sim_run::config::plan::Plan;
use sim_run::ids::TaskId;
use sim_run::report;
use std::sync::Arc;

/// The releases that have it.
const RELEASES: [(&str, &str); 3] = [("cfs", "4.9"), ("cfs", "6.1"), ("eevdf", "6.12")];

/// Threads, some of which share a process, fork, end, are killed, copied, moved and given other sets, while memory is
/// marked often.
fn busy((id, era): (&str, &str), machine: &str, seed: u64) -> Value {
    let pin = |at: u64, cpus: &[u16]| {
        let edit = json!({ "kind": "pin", "target": { "group": "far" }, "cpus": cpus });
        json!({ "atNs": at * MS, "edit": edit })
    };
    json!({
        "version": 1,
        "name": "memory",
        "seed": seed,
        "machine": machine,
        "schedulers": [{ "id": id, "era": era, "tunables": {
            "numaScanDelayMs": 20, "numaScanPeriodMinMs": 100, "numaScanPeriodMaxMs": 300, "numaScanSizeMib": 2, "hz": 250,
        } }],
        "groups": [
            { "name": "far", "count": 3, "workingSetBytes": 3_000_000, "behaviour": { "kind": "loop" } },
            { "name": "one", "count": 3, "process": "p", "workingSetBytes": 700_000, "behaviour": { "kind": "chase" } },
            { "name": "two", "count": 2, "process": "p", "workingSetBytes": 1, "behaviour": { "kind": "loop" } },
            { "name": "short", "count": 4, "workingSetBytes": 200_000, "behaviour": { "kind": "compute", "params": { "workMs": 150 } } },
            { "name": "forks", "count": 1, "workingSetBytes": 100_000, "behaviour": { "kind": "script", "params": {
                "program": "run 20ms; fork; sleep 30ms", "child": "run 90ms; exit" } } },
        ],
        "edits": [
            pin(60, &[0, 1]), pin(130, &[4, 5, 6]),
            { "atNs": 200 * MS, "edit": { "kind": "setWorkingSet", "target": { "thread": "far-2" }, "bytes": 5_000_000 } },
            { "atNs": 230 * MS, "edit": { "kind": "copy", "thread": "far-1" } },
            { "atNs": 260 * MS, "edit": { "kind": "spawn", "group": "one", "count": 2 } },
            { "atNs": 310 * MS, "edit": { "kind": "kill", "target": { "group": "one" }, "count": 2 } },
            { "atNs": 350 * MS, "edit": { "kind": "unpin", "target": { "group": "far" } } },
            { "atNs": 500 * MS, "edit": { "kind": "setTunable", "id": "numaBalancing", "value": false } },
            { "atNs": 600 * MS, "edit": { "kind": "setTunable", "id": "numaBalancing", "value": true } },
        ],
        "end": { "atNs": 900 * MS },
    })
}

fn all() -> Vec<(String, Arc<Plan>)> {
    let mut all = Vec::new();
    for release in RELEASES {
        for seed in [1, 2] {
            let name = format!("{} {}, seed {seed}", release.0, release.1);
            all.push((name, plan(&busy(release, "mc32", seed))));
        }
    }
    all
}

#[test]
fn pages_follow_and_every_tick_makes_the_same_run() {
    for (name, plan) in all() {
        // The invariants are checked: pages add up.
        let mut sim = straight(&plan, checked());
        let now = sim.refresh();
        let totals = |of: fn(&sim_run::trace::accounts::TaskAccount) -> u64| {
            let tasks = (0..now.task_count()).map(TaskId::new);
            tasks.map(|t| of(now.account(t))).sum::<u64>()
        };
        assert!(totals(|a| a.hinting_faults) > 1_000, "{name}: few faults");
        assert!(totals(|a| a.pages_moved) > 100, "{name}: few pages move");
        let found = outcome(&mut straight(&plan, every_tick()));
        assert_same(&found, &outcome(&mut sim), &name);
    }
}

#[test]
fn a_snapshot_amid_marked_memory_goes_on_as_if_nothing_had_happened() {
    for (name, plan) in all() {
        let wanted = outcome(&mut straight(&plan, checked()));
        let mut amid = 0;
        for percent in [3, 9, 15, 16, 30, 40, 41, 70] {
            let mut first = start(&plan, checked());
            first.run_until(at_percent(&first, percent));
            // Up to a time at which a thread has touched some of its marked pages but not all.
            for _ in 0..200 {
                let tasks = (0..first.task_count()).map(TaskId::new);
                if tasks.into_iter().any(|t| first.memory(t).marked() > 0) {
                    amid += 1;
                    break;
                }
                first.step_event();
            }
            let bytes = first.snapshot();
            let mut second = start(&plan, checked());
            second.restore(&bytes).expect("of this very run");
            assert!(second.snapshot() == bytes, "{name} at {percent} %");
            second.run_until(second.end());
            assert_same(
                &outcome(&mut second),
                &wanted,
                &format!("{name} at {percent} %"),
            );
        }
        assert!(amid > 0, "{name}: no snapshot was amid marked memory");
    }
}

#[test]
fn switched_off_no_page_moves_and_nothing_is_marked() {
    for release in RELEASES {
        let mut scenario = busy(release, "mc32", 1);
        scenario["schedulers"][0]["tunables"]["numaBalancing"] = json!(false);
        scenario["edits"] = json!([]);
        let mut sim = straight(&plan(&scenario), checked());
        let sim = sim.refresh();
        for task in (0..sim.task_count()).map(TaskId::new) {
            let account = sim.account(task);
            let seen = (
                account.hinting_faults,
                account.pages_moved,
                account.to_memory,
            );
            assert_eq!(seen, (0, 0, 0));
            assert!(sim.memory(task).nodes().count() <= 1);
        }
    }
}

/// Sets a tunable of a mechanism that does not exist there.
#[test]
fn on_a_machine_of_one_node_the_switch_changes_nothing() {
    for release in RELEASES {
        let digest = |on: bool| {
            let mut scenario = busy(release, "i7860", 1);
            scenario["edits"] = json!([]);
            scenario["schedulers"][0]["tunables"]["numaBalancing"] = json!(on);
            let mut sim = straight(&plan(&scenario), checked());
            let names: Vec<_> = sim.counters().iter().map(|c| c.0).collect();
            assert!(names.iter().all(|n| !n.starts_with("numa")), "{names:?}");
            report::digest_text(&mut sim)
        };
        assert_eq!(digest(true), digest(false));
    }
}
