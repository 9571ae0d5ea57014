//! CFS is fair by weight on one CPU. `every_scheduler` checks for every scheduler how equal threads share one CPU and
//! many.

use crate::support::{MS, plan, start};
use serde_json::{Value, json};
use sim_run::engine::{Options, Sim};
use sim_run::ids::TaskId;
use sim_run::machine::registry;
use sim_run::time::SimTime;

/// The kernels' table, from nice -20 (`prio_to_weight` @ 2.6.34, `sched_prio_to_weight` @ 4.9).
const WEIGHTS: [u32; 40] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916, 9_548, 7_620,
    6_100, 4_904, 3_906, 3_121, 2_501, 1_991, 1_586, 1_277, 1_024, 820, 655, 526, 423, 335, 272,
    215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

const ERAS: [&str; 3] = ["2.6.34", "4.9", "6.1"];

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

/// CPU time of each thread from a time to the end, divided by that time.
#[allow(clippy::cast_precision_loss)] // far below 2^53
fn shares(scenario: &Value, from: u64) -> Vec<f64> {
    let mut sim = start(&plan(scenario), Options::default());
    let times = |sim: &mut Sim| -> Vec<u64> {
        let sim = sim.refresh();
        let tasks = (0..sim.task_count()).map(TaskId::new);
        tasks.map(|t| sim.account(t).run_ns).collect()
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
    for era in ERAS {
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
