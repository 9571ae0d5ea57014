//! CFS is fair: by weight on one CPU, and between CPUs as far as its balancer goes. A group of many threads is left out:
//! each of its threads has so small a part of the group's 1024 shares that the balancer's whole numbers hardly tell CPUs
//! apart.

use crate::support::{MS, plan, start};
use serde_json::{Value, json};
use sim_core::engine::{Options, Sim};
use sim_core::ids::{CpuId, TaskId};
use sim_core::machine::Machine;
use sim_core::machine::registry;
use sim_core::machine::views::linux::{Domains, Release};
use sim_core::time::SimTime;

/// The kernels' table, from nice -20 on (`prio_to_weight` @ 2.6.34, `sched_prio_to_weight` @ 4.9).
const WEIGHTS: [u32; 40] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916, 9_548, 7_620,
    6_100, 4_904, 3_906, 3_121, 2_501, 1_991, 1_586, 1_277, 1_024, 820, 655, 526, 423, 335, 272,
    215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

const ERAS: [(&str, Release); 2] = [("2.6.34", Release::V2_6_34), ("4.9", Release::V4_9)];

fn scenario(
    machine: &Value,
    era: &str,
    (hz, grouped): (u32, bool),
    groups: &Value,
    end: u64,
) -> Value {
    json!({
        "version": 1, "name": "fairness", "machine": machine,
        "schedulers": [{
            "id": "cfs", "era": era, "tunables": { "hz": hz, "groupPerApplication": grouped },
        }],
        "groups": groups, "end": { "atNs": end },
    })
}

/// CPU time of each thread from a time to the end, per time.
#[allow(clippy::cast_precision_loss)] // far below 2^53
fn shares(scenario: &Value, from: u64) -> Vec<f64> {
    let mut sim = start(&plan(scenario), Options::default());
    let times = |sim: &mut Sim| -> Vec<u64> {
        sim.refresh();
        let tasks = (0..sim.task_count()).map(TaskId::new);
        tasks.map(|t| sim.task_view(t).account.run_ns).collect()
    };
    sim.run_until(SimTime(from));
    let before = times(&mut sim);
    let end = sim.end();
    sim.run_until(end);
    let length = (end.0 - from) as f64;
    let after = times(&mut sim);
    after
        .iter()
        .zip(before)
        .map(|(a, b)| (a - b) as f64 / length)
        .collect()
}

#[test]
fn two_hogs_share_a_cpu_as_the_weights_say() {
    let mut machine = json!(registry::spec("i7860").expect("shipped"));
    machine["id"] = json!("one");
    machine["topology"]["packages"][0]["nodes"][0]["llcs"][0]["cores"] =
        json!([{ "count": 1, "smt": 1 }]);
    let hog = |name: &str, nice: i8| {
        json!({
            "name": name, "count": 1, "nice": nice, "startSpacingNs": 0,
            "behaviour": { "kind": "script", "params": { "program": "run" } },
        })
    };
    let mut wrong = Vec::new();
    for (era, _) in ERAS {
        for a in -20..20_i8 {
            for b in a..20 {
                let groups = json!([hog("a", a), hog("b", b)]);
                let found = shares(
                    &scenario(&machine, era, (1_000, false), &groups, 1_700 * MS),
                    200 * MS,
                );
                let weight = |n: i8| f64::from(WEIGHTS[usize::from((n + 20).unsigned_abs())]);
                let expected = weight(a) / (weight(a) + weight(b));
                let share = found[0] / (found[0] + found[1]);
                if (share - expected).abs() > 0.01 {
                    wrong.push(format!(
                        "{era}: {a} and {b}: {share:.4}, weights {expected:.4}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} pairs: {wrong:#?}", wrong.len());
}

/// How much busier one CPU may stay than another: what each level of domains tolerates, and one thread.
fn bound(machine: &Machine, release: Release, each: usize) -> f64 {
    let domains = Domains::new(machine, release);
    let levels = domains.of[CpuId(0).index()].iter();
    let tolerated: f64 = levels
        .map(|d| f64::from(u32::try_from(d.imbalance_pct).expect("small")) / 100.0)
        .product();
    tolerated + 1.0 / f64::from(u32::try_from(each).expect("small"))
}

/// Threads of a group up to which the balancer's unit of load is at most an eighth of a thread: less than what any of
/// its levels tolerates.
const TOLD_APART: usize = 1_024 / 8;

/// Numbers of hogs: one too many, and some for each CPU, with and without a remainder.
fn counts(cpus: usize) -> Vec<usize> {
    if cpus > 64 {
        return vec![cpus + 1, cpus * 3];
    }
    vec![cpus + 1, cpus * 8, cpus * 8 + cpus / 2 + 1]
}

#[test]
fn equal_hogs_get_equal_shares_within_what_the_balancer_tolerates() {
    let mut wrong = Vec::new();
    for (id, _) in registry::PRESETS {
        let machine = registry::preset(id).expect("shipped");
        if !symmetric(&machine) {
            continue;
        }
        let cpus = machine.cpu_count();
        for count in counts(cpus) {
            for (era, release) in ERAS {
                for grouped in [false, true] {
                    if grouped && count > TOLD_APART {
                        continue;
                    }
                    let groups = json!([{
                        "name": "hog", "count": count, "process": "hogs", "startSpacingNs": 100_000,
                        "behaviour": { "kind": "script", "params": { "program": "run" } },
                    }]);
                    let found = shares(
                        &scenario(&json!(id), era, (250, grouped), &groups, 5_000 * MS),
                        3_000 * MS,
                    );
                    let most = found.iter().copied().fold(0.0, f64::max);
                    let least = found.iter().copied().fold(1.0, f64::min);
                    let allowed = bound(&machine, release, count / cpus);
                    if most > least * allowed {
                        wrong.push(format!(
                            "{id}, {era}, {count} hogs, grouped: {grouped}: shares from {least:.4} to {most:.4}, \
                             allowed is a ratio of {allowed:.3}"
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All cores are of one kind.
fn symmetric(machine: &Machine) -> bool {
    let packages = &machine.spec().topology.packages;
    let kinds = packages
        .iter()
        .flat_map(|p| &p.nodes)
        .flat_map(|n| &n.llcs)
        .map(|l| l.cores.len());
    kinds.max() == Some(1)
}
