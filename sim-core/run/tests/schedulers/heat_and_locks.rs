//! Costs that build up over time or between CPUs: heat with its lag, scheduler locks, cold kernel data.

use crate::support::{checked, plan, start};
use serde_json::{Value, json};
use sim_run::engine::Sim;
use sim_run::ids::{CpuId, TaskId};
use sim_run::time::SimTime;

const SECOND: u64 = 1_000_000_000;

fn run(machine: &Value, scheduler: &Value, groups: &Value, end_ns: u64) -> Sim {
    start(
        &plan(&json!({
            "version": 1, "name": "costs", "machine": machine, "schedulers": [scheduler],
            "groups": groups, "end": { "atNs": end_ns },
        })),
        checked(),
    )
}

fn hog_on(cpu: u16) -> Value {
    json!({ "name": format!("hog{cpu}"), "count": 1, "allowed": [cpu], "behaviour": { "kind": "dhrystone" } })
}

fn work(sim: &mut Sim) -> f64 {
    let sim = sim.refresh();
    (0..sim.task_count())
        .map(|t| sim_run::metrics::work_ns(sim.account(TaskId::new(t))))
        .sum()
}

/// Six busy cores warm the package from 48 towards 120 °C with 15 s: 100 °C after 15 × ln(72/20) = 19.2 s.
#[test]
fn an_overclocked_package_runs_at_full_speed_until_it_is_hot() {
    let hogs: Vec<Value> = (0..6).map(hog_on).collect();
    let manual = json!({ "id": "manual" });
    let mut sim = run(&json!("i7980x"), &manual, &json!(hogs), 60 * SECOND);
    sim.run_until(SimTime(SECOND));
    let early = sim.package_temperature().expect("it has a thermal model");
    assert!((50.0..55.0).contains(&early), "{early} °C after a second");
    let mut hot = 0;
    for s in 2..60 {
        sim.run_until(SimTime(s * SECOND));
        if hot == 0 && sim.frequency() < 1 << 20 {
            hot = s;
        }
    }
    assert!((19..=21).contains(&hot), "throttled after {hot} s");
    assert_eq!(sim.package_temperature(), Some(100.0));
    // Steady: the power of 4.33 cores for six.
    let before = work(&mut sim);
    sim.run_until(SimTime(60 * SECOND));
    let cores = (work(&mut sim) - before) / 1e9;
    assert!((4.3..4.34).contains(&cores), "{cores} cores");
}

#[test]
fn a_package_that_becomes_idle_cools_and_runs_at_full_speed_again() {
    let hogs: Vec<Value> = (0..6).map(hog_on).collect();
    let mut sim = start(
        &plan(&json!({
            "version": 1, "name": "cooling", "machine": "i7980x", "schedulers": [{ "id": "manual" }],
            "groups": hogs, "end": { "atNs": 120 * SECOND },
            "edits": (1..6).map(|i| json!({ "atNs": 40 * SECOND, "edit": {
                "kind": "kill", "target": { "group": format!("hog{i}") } } })).collect::<Vec<_>>(),
        })),
        checked(),
    );
    sim.run_until(SimTime(39 * SECOND));
    assert_eq!(sim.package_temperature(), Some(100.0));
    sim.run_until(SimTime(41 * SECOND));
    assert_eq!(sim.frequency(), 1 << 20, "one core cannot hold the heat");
    sim.run_until(sim.end());
    let cool = sim.package_temperature().expect("it has a thermal model");
    assert!((59.9..60.5).contains(&cool), "{cool} °C");
}

/// Time of a yield under one lock, by the number of CPUs that yield: 0.39 µs alone, and 0.39 + 3.552 × (1 + 0.093 × 7)
/// with eight (Roberson, October 2007, measured 6.25 µs).
#[test]
fn one_scheduler_lock_serves_eight_yielding_cpus_one_after_the_other() {
    let bfs = json!({ "id": "bfs" });
    for (n, wanted_us) in [(1, 0.39), (8, 6.25)] {
        let yields: Vec<Value> = (0..n)
            .map(|cpu| {
                json!({ "name": format!("y{cpu}"), "count": 1, "allowed": [cpu], "startSpacingNs": 0,
                        "behaviour": { "kind": "yieldLoop" } })
            })
            .collect();
        let mut sim = run(&json!("k8x4"), &bfs, &json!(yields), SECOND / 10);
        sim.run_until(SimTime(SECOND / 20));
        let before = sim.handled();
        sim.run_until(sim.end());
        // A yield is one phase end; ticks and signals are few in comparison.
        let us = 50_000.0 / (sim.handled() - before) as f64;
        assert!((us / wanted_us - 1.0).abs() < 0.03, "{n}: {us} µs a yield");
        let locked = sim.refresh().account(TaskId(0)).by_cause[9];
        assert_eq!(locked > 0, n > 1, "only who shares the lock waits for it");
    }
}

/// From about 190 threads on a CPU, the kernel's data of a thread have left the second-level cache when its turn comes.
/// A switch then takes 30 memory latencies longer.
#[test]
fn a_switch_is_dearer_where_many_threads_take_turns() {
    let cost = |threads: u32| {
        let yields = json!([{ "name": "y", "count": threads, "behaviour": { "kind": "yieldLoop" },
            "startSpacingNs": 0 }]);
        let mut sim = run(
            &json!("up2007"),
            &json!({ "id": "manual" }),
            &yields,
            SECOND / 5,
        );
        sim.run_until(sim.end());
        let sim = sim.refresh();
        let a = sim.cpu_account(CpuId(0));
        let switches: u64 = (0..sim.task_count())
            .map(|t| sim.account(TaskId::new(t)).switches)
            .sum();
        a.switch_ns / switches
    };
    let (few, many) = (cost(100), cost(1000));
    let spec = sim_run::machine::registry::spec("up2007").expect("shipped");
    let cold = u64::from(spec.memory.local_latency_ns) * 30;
    // In the first round no data have left the cache yet.
    let rise = many - few;
    assert!(
        rise <= cold && rise > cold * 97 / 100,
        "{few} and {many} ns"
    );
}

/// With turbo switched on, one hog runs at 3.46 GHz and four at 2.93, on a machine of nominally 2.8.
#[test]
fn few_active_cores_run_above_the_nominal_clock_where_turbo_is_on() {
    let mut machine =
        serde_json::to_value(sim_run::machine::registry::spec("i7860")).expect("plain");
    machine["turbo"] = json!({ "mhz": [3460, 3330, 2930, 2930], "enabled": true });
    for (n, mhz) in [(1, 3460.0), (4, 2930.0)] {
        let hogs: Vec<Value> = (0..n).map(hog_on).collect();
        let mut sim = run(&machine, &json!({ "id": "manual" }), &json!(hogs), SECOND);
        sim.run_until(SimTime(SECOND / 2));
        let before = work(&mut sim);
        sim.run_until(sim.end());
        let speed = (work(&mut sim) - before) / 0.5e9 / f64::from(n);
        assert!((speed / (mhz / 2800.0) - 1.0).abs() < 0.004, "{n}: {speed}");
    }
}

/// The efficient cores of a hybrid machine do 0.6 of the work of the fast ones, and the loss is counted under its
/// cause.
#[test]
fn a_slow_core_loses_to_its_clock() {
    let machine = sim_run::machine::registry::preset("adl12900k").expect("shipped");
    let slow = machine
        .cpu_ids()
        .find(|c| machine.place(*c).speed_milli < 1000);
    let slow = slow.expect("it has efficient cores");
    let hogs = json!([hog_on(0), hog_on(slow.0)]);
    let mut sim = run(
        &json!("adl12900k"),
        &json!({ "id": "manual" }),
        &hogs,
        SECOND,
    );
    sim.run_until(sim.end());
    let sim = sim.refresh();
    let account = |t| sim.account(TaskId(t));
    let ratio = account(1).work as f64 / account(0).work as f64;
    assert!((ratio - 0.6).abs() < 0.01, "{ratio}");
    assert!(
        account(1).by_cause[8] > account(1).run_ns << 18,
        "the clock is the cause"
    );
}
