//! The drawn queue equals the real one. Every waiting thread is in a part and a list that the scheduler declared, and
//! what a CPU sees of its queues agrees with the rows of the frame.

use crate::support::{MS, checked, lanes, plan, start};
use serde_json::{Value, json};
use sim_run::engine::Sim;
use sim_run::ids::CpuId;
use sim_run::sched::shape::{PartKind, QueueRow};
use sim_run::time::SimTime;
use std::collections::BTreeSet;

fn crowd(lane: &Value) -> Value {
    json!({
        "version": 1,
        "name": format!("a crowd under {lane}"),
        "seed": 3,
        "machine": "i7860",
        "schedulers": [lane],
        "groups": [
            { "name": "hog", "count": 20, "behaviour": { "kind": "compute" } },
            { "name": "type", "count": 12, "behaviour": { "kind": "interactive" }, "nice": 5 },
            { "name": "bound", "count": 6, "behaviour": { "kind": "compute" }, "allowed": [1, 2] },
        ],
        "end": { "atNs": 900 * MS },
    })
}

fn rows(sim: &Sim) -> Vec<QueueRow> {
    let mut rows = Vec::new();
    sim.queue_rows(&mut rows);
    rows
}

/// Checks a run at many times.
fn moments(lane: &Value, mut look: impl FnMut(&mut Sim)) {
    let mut sim = start(&plan(&crowd(lane)), checked());
    for i in 1..=60 {
        sim.run_until(SimTime(i * 14_700_001));
        look(&mut sim);
    }
}

#[test]
fn everybody_who_waits_stands_in_a_declared_place() {
    for lane in lanes() {
        let mut seen = 0;
        moments(&lane, |sim| {
            let shape = sim.shape();
            for row in rows(sim) {
                let parts = match row.queue {
                    None => &shape.global,
                    Some(_) => &shape.per_cpu,
                };
                let part = parts.get(usize::from(row.part));
                let part = part.unwrap_or_else(|| panic!("{lane}: {row:?} has no part"));
                if matches!(part.kind, PartKind::Levels | PartKind::Ring) {
                    assert!(row.place < part.places, "{lane}: {row:?} beyond {part:?}");
                }
                if let Some([low, high]) = part.focus {
                    assert!(low <= high && high < part.places, "{lane}: {part:?}");
                }
                seen += 1;
            }
        });
        assert!(seen > 100, "{lane}: somebody waited");
    }
}

#[test]
fn a_list_is_served_from_its_lowest_level_on() {
    for lane in lanes() {
        moments(&lane, |sim| {
            let shape = sim.shape();
            let rows = rows(sim);
            for pair in rows.windows(2) {
                let [a, b] = pair else { continue };
                let parts = match a.queue {
                    None => &shape.global,
                    Some(_) => &shape.per_cpu,
                };
                let is_ladder = parts[usize::from(a.part)].kind == PartKind::Levels;
                if a.queue == b.queue && a.part == b.part && is_ladder {
                    assert!(a.place <= b.place, "{lane}: {a:?} before {b:?}");
                }
            }
        });
    }
}

#[test]
fn the_trees_that_are_shown_hold_those_who_wait() {
    for lane in lanes().iter().filter(|l| l["id"] == "cfs") {
        let mut groups = BTreeSet::new();
        moments(lane, |sim| {
            let rows = rows(sim);
            for cpu in 0..8 {
                let cpu = CpuId::new(cpu);
                let detail = sim.refresh().queue_detail(cpu);
                let shown: BTreeSet<u32> = detail
                    .trees
                    .iter()
                    .flat_map(|t| &t.nodes)
                    .filter(|n| !n.running)
                    .filter_map(|n| n.task)
                    .collect();
                let waiting = |r: &&QueueRow| r.queue == Some(cpu) && r.part == 1;
                let wanted: BTreeSet<u32> = rows.iter().filter(waiting).map(|r| r.task.0).collect();
                assert_eq!(shown, wanted, "{lane} on {cpu:?}");
                for tree in &detail.trees {
                    groups.insert(tree.group);
                    let ahead: Vec<f64> = tree
                        .nodes
                        .iter()
                        .filter(|n| !n.running)
                        .map(|n| n.ahead_ns)
                        .collect();
                    assert!(ahead.is_sorted(), "{lane}: by vruntime");
                    let roots = tree
                        .nodes
                        .iter()
                        .filter(|n| !n.running && n.parent.is_none());
                    assert_eq!(roots.count(), usize::from(!ahead.is_empty()), "one root");
                }
            }
        });
        assert_eq!(
            groups.len() > 1,
            lane["era"] != "2.6.34",
            "{lane}: autogroups"
        );
    }
}

#[test]
fn every_cpu_is_in_a_domain_of_each_level_once() {
    for lane in lanes().iter().filter(|l| l["id"] == "cfs") {
        let sim = start(&plan(&crowd(lane)), checked());
        let domains = sim.shape().domains;
        assert!(!domains.is_empty(), "{lane}");
        for level in 0..domains.iter().map(|d| d.level + 1).max().unwrap_or(0) {
            let mut cpus: Vec<u16> = domains
                .iter()
                .filter(|d| d.level == level)
                .flat_map(|d| d.cpus.clone())
                .collect();
            cpus.sort_unstable();
            assert_eq!(cpus, (0..8).collect::<Vec<u16>>(), "{lane}: level {level}");
        }
    }
}
