//! Random scenarios: the invariants hold between events, totals add up at the end, and neither skipped ticks nor a
//! snapshot changes anything.
//!
//! The seed is fixed. `PROPTEST_CASES=2000` tries more scenarios, and `TIMESLICE_FUZZ_SEED=1` others.

use crate::support::{
    assert_same, checked, every_tick, first_difference, is_nightly, lanes, outcome, plan, start,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use serde_json::{Value, json};
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim};
use sim_run::ids::{CpuMask, TaskId};
use sim_run::params::{ParamKind, ParamSpec};
use sim_run::sched::registry::ALL;
use sim_run::time::SimTime;
use sim_run::trace::TraceKind;
use std::sync::Arc;

/// Number of events after which runs end.
const EVENTS: u64 = 12_000;

// The number of cases to try; no run depends on it.
#[allow(clippy::disallowed_methods)]
pub(crate) fn config(cases: u32) -> Config {
    let asked = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let more = asked("PROPTEST_CASES").and_then(|n| u32::try_from(n).ok());
    Config {
        cases: more.unwrap_or(cases),
        rng_seed: RngSeed::Fixed(asked("TIMESLICE_FUZZ_SEED").unwrap_or(318)),
        failure_persistence: None,
        max_shrink_iters: 3_000,
        ..Config::default()
    }
}

fn machine() -> impl Strategy<Value = Value> {
    let shape = (1_u16..=2, 1_u16..=2, 1_u16..=2, 1_u16..=4, 1_u16..=2)
        .prop_filter("at most 16 CPUs", |(p, n, l, c, s)| p * n * l * c * s <= 16);
    let cost = || prop_oneof![Just(0_u32), 1_u32..5_000, Just(150_000)];
    let costs = (1_u32..5_000, cost(), cost(), cost(), cost(), cost());
    let thermal = proptest::option::weighted(0.3, (1_u32..30_000, 1_000_u32..60_000));
    (shape, any::<bool>(), costs, thermal).prop_map(|(shape, first, costs, thermal)| {
        let spec = sim_run::machine::registry::spec("i7860").expect("shipped");
        let mut machine = serde_json::to_value(&spec).expect("plain data");
        let (p, n, l, c, s) = shape;
        machine["id"] = json!("random");
        machine["provenance"] = json!([]);
        machine["caches"] = json!([]);
        machine["topology"] = json!({
            "numbering": if first { "coresFirst" } else { "siblingsAdjacent" },
            "packages": [{ "count": p, "nodes": [{ "count": n, "llcs": [{
                "count": l, "cores": [{ "count": c, "smt": s }]
            }] }] }],
        });
        let (yield_ns, switch, tick, kick, idle, deep) = costs;
        machine["costs"] = json!({
            "yieldNs": yield_ns, "switchNs": switch, "tickNs": tick.min(20_000),
            "kickNs": kick, "idleExitNs": idle, "idleExitDeepNs": deep,
            "lineTransferNs": 0,
        });
        if let Some((per_core, limit)) = thermal {
            machine["thermal"] = json!({
                "ambientMilliC": 500, "perCoreMilliC": per_core, "limitMilliC": limit, "lagMs": 0,
            });
        }
        machine
    })
}

/// Times of all sizes; often whole milliseconds, so that events coincide.
fn time() -> impl Strategy<Value = u64> {
    prop_oneof![
        (1_u64..40).prop_map(|ms| ms * 1_000_000),
        1_u64..20_000_000,
        1_000_u64..400_000,
    ]
}

fn statement(fork: bool) -> impl Strategy<Value = String> {
    prop_oneof![
        6 => time().prop_map(|ns| format!("run {ns}ns")),
        5 => time().prop_map(|ns| format!("sleep {ns}ns")),
        2 => Just("yield".to_owned()),
        // Each is well formed, in any order: locks are held over sleeps, taken in circles, and never given back.
        2 => (0_u8..3, any::<bool>()).prop_map(|(n, lends)| {
            format!("lock {n}{}", if lends { " inherit" } else { "" })
        }),
        2 => (0_u8..3).prop_map(|n| format!("unlock {n}")),
        u32::from(fork) => Just("fork".to_owned()),
    ]
}

fn program(fork: bool) -> impl Strategy<Value = String> {
    let end = prop_oneof![
        Just("; run 90us; repeat"),
        Just(""),
        Just("; exit"),
        Just("; run")
    ];
    (proptest::collection::vec(statement(fork), 1..6), end)
        .prop_map(|(all, end)| all.join("; ") + end)
}

fn behaviour() -> impl Strategy<Value = Value> {
    let shape = || prop_oneof![Just("constant"), Just("uniform"), Just("exponential")];
    prop_oneof![
        (0_u64..200).prop_map(|ms| json!({ "kind": "dhrystone", "params": { "workMs": ms } })),
        Just(json!({ "kind": "loop" })),
        (1_u64..20_000, 1_u64..60_000, shape(), shape(), 0_u64..30).prop_map(|(c, s, a, b, n)| {
            json!({ "kind": "interactive", "params": {
                "computeUs": c, "sleepUs": s, "computeShape": a, "sleepShape": b, "bursts": n
            } })
        }),
        (0_u64..500, 0_u64..200_000).prop_map(|(n, ns)| {
            json!({ "kind": "yieldLoop", "params": { "yields": n, "computeNs": ns } })
        }),
        (0_u8..3, 1_u64..12, 0_u64..60, any::<bool>(), time(), time()).prop_map(
            |(role, n, requests, connect, a, b)| {
                let role = ["both", "injector", "workers"][usize::from(role)];
                // The channels connect groups with the same port.
                let port = u64::from(role != "both");
                json!({ "kind": "requestServer", "params": {
                    "role": role, "port": port, "inFlight": n, "requests": requests,
                    "connect": connect, "injectUs": 1 + a % 900, "serveUs": 1 + b % 900
                } })
            }
        ),
        (2_u64..5, 1_u64..4, time(), 0_u64..200).prop_map(|(stages, holds, work, n)| {
            json!({ "kind": "pipeline", "params": {
                "stages": stages, "pipeHolds": holds, "workUs": 1 + work % 500, "messages": n
            } })
        }),
        (1_u64..9_000, 0_u64..=100, 0_u64..40).prop_map(|(us, percent, n)| {
            json!({ "kind": "barrier", "params": {
                "computeUs": us, "imbalancePercent": percent, "rounds": n
            } })
        }),
        (1_u64..6, 1_u64..900, any::<bool>(), 0_u64..50).prop_map(|(n, us, chain, ms)| {
            json!({ "kind": "rayTracer", "params": {
                "threads": n, "createUs": us, "start": if chain { "chain" } else { "atOnce" },
                "shellUs": us * 10, "workMs": ms
            } })
        }),
        (1_u64..900).prop_map(|w| json!({ "kind": "browser", "params": { "workPercent": w } })),
        (program(true), program(false)).prop_map(|(program, child)| {
            json!({ "kind": "script", "params": { "program": program, "child": child } })
        }),
    ]
}

fn policy() -> impl Strategy<Value = (&'static str, Option<u8>)> {
    prop_oneof![
        6 => Just(("normal", None)),
        1 => Just(("batch", None)),
        1 => Just(("idle", None)),
        1 => Just(("iso", None)),
        1 => (1_u8..=99).prop_map(|p| ("fifo", Some(p))),
        1 => (1_u8..=99).prop_map(|p| ("roundRobin", Some(p))),
    ]
}

/// CPU numbers, to be taken modulo the machine's.
fn cpus() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(0_u16..16, 1..4)
}

type Group = (
    (Value, u32, i8, (&'static str, Option<u8>)),
    (Option<Vec<u16>>, u64, u64, bool),
);

fn group() -> impl Strategy<Value = Group> {
    (
        (behaviour(), 0_u32..6, -20_i8..=20, policy()),
        (
            proptest::option::weighted(0.25, cpus()),
            prop_oneof![Just(0), time()],
            prop_oneof![Just(0), Just(1_000_000), time()],
            any::<bool>(),
        ),
    )
}

/// An edit: time (in thousandths of the run), kind, group, numbers.
pub(crate) type RawEdit = (u64, u8, usize, i8, Vec<u16>, u32);

pub(crate) fn edit() -> impl Strategy<Value = RawEdit> {
    (
        0_u64..1_000,
        0_u8..12,
        0_usize..6,
        -20_i8..=20,
        cpus(),
        0_u32..5,
    )
}

fn background() -> impl Strategy<Value = Value> {
    let share = || 0_u32..=100;
    let daemons = (
        1_u32..8,
        1_u32..3_000,
        share(),
        share(),
        1_000_u64..900_000,
        share(),
    );
    (
        proptest::option::of(daemons),
        proptest::option::of(1_u32..200),
    )
        .prop_map(|(d, k)| {
            let mut value = json!({});
            if let Some((count, wakes, interrupt, aligned, run, chain)) = d {
                value["daemons"] = json!({
                    "count": count, "wakesPerSecond": wakes, "interruptPercent": interrupt,
                    "tickAlignedPercent": aligned, "runMeanNs": run, "chainPercent": chain,
                });
            }
            if let Some(wakes) = k {
                value["kernelThreads"] = json!({ "wakesPerSecond": wakes, "runNs": 30_000 });
            }
            value
        })
}

fn timing() -> impl Strategy<Value = Value> {
    let delay = || {
        prop_oneof![
            Just(None),
            Just(Some(0_u64)),
            (1_u64..3_000_000).prop_map(Some)
        ]
    };
    (any::<bool>(), any::<bool>(), delay(), delay(), delay()).prop_map(
        |(aligned, ticking, kick, idle, deep)| {
            json!({
                "tickPhase": if aligned { "aligned" } else { "staggered" },
                "idleTicks": if ticking { "ticking" } else { "tickless" },
                "kickNs": kick, "idleExitNs": idle, "idleExitDeepNs": deep,
            })
        },
    )
}

fn lane() -> impl Strategy<Value = Value> {
    let all = lanes();
    (0..all.len(), proptest::option::of(1_u32..60)).prop_map(move |(i, rr)| {
        let mut lane = all[i].clone();
        if let Some((key, value)) = rr.and_then(|ms| knob(&lane, ms)) {
            if lane.get("tunables").is_none() {
                lane["tunables"] = json!({});
            }
            lane["tunables"][key] = value;
        }
        lane
    })
}

/// A tunable of a lane's scheduler and a value for it, if it has one that may change during a run.
fn knob(lane: &Value, number: u32) -> Option<(&'static str, Value)> {
    let info = ALL.schedulers.iter().find(|s| lane["id"] == s.id);
    let eras = info.expect("registered").eras;
    let era = eras.iter().find(|e| lane["era"] == e.id);
    turned(era.expect("registered").tunables, number)
}

/// The length of a slice in ms, or else the first number that may change during a run, near its default.
fn turned(tunables: &[ParamSpec], number: u32) -> Option<(&'static str, Value)> {
    for key in ["rrIntervalMs", "sliceMs"] {
        if tunables.iter().any(|t| t.id == key) {
            return Some((key, json!(number)));
        }
    }
    tunables.iter().find_map(|t| match t.kind {
        ParamKind::Int {
            min, max, default, ..
        } if t.live => {
            let value = (default * i64::from(number) / 20).clamp(min, max);
            Some((t.id, json!(value)))
        }
        _ => None,
    })
}

#[test]
fn a_scheduler_without_tunables_can_be_in_a_random_scenario() {
    let info = &sim_schedulers::skeleton::INFO;
    assert!(info.eras.iter().all(|era| era.tunables.is_empty()));
    assert_eq!(turned(info.eras[0].tunables, 7), None);
}

pub(crate) fn cpu_count(machine: &Value) -> u16 {
    let package = &machine["topology"]["packages"][0];
    let node = &package["nodes"][0];
    let llc = &node["llcs"][0];
    let core = &llc["cores"][0];
    [package, node, llc, core]
        .iter()
        .map(|v| v["count"].as_u64().expect("a count"))
        .chain(core["smt"].as_u64())
        .product::<u64>()
        .try_into()
        .expect("few")
}

fn write_group(i: usize, raw: &Group, cpus: u16) -> Value {
    let ((behaviour, count, nice, (policy, rt)), (allowed, start, spacing, process)) = raw;
    let mut group = json!({
        "name": format!("g{i}"), "count": count, "behaviour": behaviour, "nice": nice,
        "policy": policy, "startNs": start, "startSpacingNs": spacing,
    });
    if let Some(rt) = rt {
        group["rtPriority"] = json!(rt);
    }
    if let Some(list) = allowed {
        group["allowed"] = list.iter().map(|c| json!(c % cpus)).collect();
    }
    if *process {
        group["process"] = json!("app");
    }
    group
}

pub(crate) fn write_edit(
    raw: &RawEdit,
    groups: usize,
    cpus: u16,
    end: u64,
    lane: &Value,
    has_first: bool,
) -> Option<Value> {
    let (at, kind, which, nice, list, count) = raw;
    let target = match which {
        4 if has_first => "threads.g0-1".to_owned(),
        i if *i != 5 && groups > 0 => format!("groups.g{}", i % groups),
        _ => "groups.*".to_owned(),
    };
    let list: Value = list.iter().map(|c| json!(c % cpus)).collect();
    let (path, value) = match kind {
        0 => (format!("{target}.nice"), json!(nice)),
        1 => (format!("{target}.workingSetBytes"), json!(4_096)),
        2 | 3 => (format!("{target}.allowed"), list),
        4 => (format!("{target}.allowed"), Value::Null),
        5 if groups > 0 => (
            format!("groups.g{}.count", which % groups),
            json!(format!("+{count}")),
        ),
        6 if target.starts_with("threads") => (target, Value::Null),
        6 => (format!("{target}.count"), json!(format!("-{count}"))),
        7 => {
            let (id, value) = knob(lane, count * 7 + 1)?;
            (format!("lanes.*.{id}"), value)
        }
        8 | 9 => (format!("{target}.paused"), json!(*kind == 8)),
        11 => (
            format!("{target}.sliceNs"),
            json!(u64::from(*count) * 50_000),
        ),
        10 if has_first => (String::new(), Value::Null),
        _ => return None,
    };
    let mut timed = match kind {
        10 => json!({ "copy": "g0-1" }),
        _ => json!({ "set": { path: value } }),
    };
    // Often at a whole millisecond, where ticks are.
    let ns = end * at / 1_000;
    let ns = if at % 2 == 0 {
        ns / 1_000_000 * 1_000_000
    } else {
        ns
    };
    timed["atNs"] = json!(ns);
    Some(timed)
}

/// A valid scenario.
pub(crate) fn scenario() -> impl Strategy<Value = Value> {
    (
        (machine(), lane(), any::<u32>()),
        proptest::collection::vec(group(), 0..5),
        proptest::collection::vec(edit(), 0..9),
        (proptest::option::weighted(0.4, background()), timing()),
        (20_u64..900, any::<bool>()),
    )
        .prop_map(
            |((machine, lane, seed), groups, edits, (background, timing), (ms, all))| {
                let cpus = cpu_count(&machine);
                let end = ms * 1_000_000;
                let has_first = groups.first().is_some_and(|((_, count, ..), _)| *count > 0);
                let edits: Vec<Value> = edits
                    .iter()
                    .filter_map(|e| write_edit(e, groups.len(), cpus, end, &lane, has_first))
                    .collect();
                let groups: Vec<Value> = groups
                    .iter()
                    .enumerate()
                    .map(|(i, g)| write_group(i, g, cpus))
                    .collect();
                json!({
                    "version": 1, "name": "random", "seed": seed, "machine": machine,
                    "schedulers": [lane], "groups": groups, "edits": edits,
                    "background": background, "timing": timing,
                    "end": { "atNs": end, "whenAllExited": all },
                })
            },
        )
}

/// Runs to a time.
fn run(plan: &Arc<Plan>, options: Options, until: SimTime) -> Sim {
    let mut sim = start(plan, options);
    sim.run_until(until);
    sim
}

/// Checks what must add up when a run has ended.
fn totals(sim: &mut Sim) {
    let sim = sim.refresh();
    let now = sim.now().0;
    let mut busy = 0;
    for cpu in sim.plan().machine.cpu_ids() {
        let a = sim.cpu_account(cpu);
        assert_eq!(
            a.busy_ns + a.idle_ns,
            now,
            "busy + idle = elapsed on {cpu:?}"
        );
        assert!(a.switch_ns <= a.busy_ns, "switching is part of being busy");
        busy += a.busy_ns;
    }
    let mut run = 0;
    for i in 0..sim.task_count() {
        let view = sim.task_view(TaskId::new(i));
        let a = sim.account(TaskId::new(i));
        run += a.run_ns;
        assert_eq!(
            a.by_cause.iter().sum::<u64>(),
            a.run_ns << 20,
            "CPU time is split by cause without a remainder"
        );
        assert!(a.by_cause[0] <= a.run_ns << 20, "work takes CPU time");
        assert!(a.migrations <= a.switches, "who moves is switched in");
        assert!(a.longest_wait_ns <= now, "nobody waits longer than the run");
        let Some(started) = a.started_at_ns else {
            assert_eq!(a.run_ns + a.wait_ns + a.sleep_ns, 0, "not started");
            continue;
        };
        let age = a.exited_at_ns.unwrap_or(now) - started;
        assert_eq!(
            a.run_ns + a.wait_ns + a.sleep_ns,
            age,
            "run, wait, sleep = age"
        );
        let everywhere = CpuMask::first(sim.plan().machine.cpu_count());
        assert!(
            view.info.allowed.intersects(&everywhere),
            "some CPU is always allowed"
        );
    }
    assert_eq!(run, busy, "what runs, runs on a CPU");
}

/// Checks that records come in order, and name the decisions that led to them.
fn facts(sim: &Sim) {
    let (mut seq, mut at) = (0, SimTime::ZERO);
    for r in sim.trace().from_seq(0) {
        assert_eq!(r.seq, seq, "records are numbered");
        assert!(r.at >= at, "time never decreases");
        (seq, at) = (seq + 1, r.at);
        let next = i64::try_from(sim.decisions().next_id()).expect("few");
        assert!(r.decision < next, "decisions come first");
        if r.kind == TraceKind::Migrate {
            assert!(r.decision >= 0, "every move was decided");
            assert!(r.reason >= 0, "every move has a reason");
            assert_ne!(i64::from(r.cpu), r.other, "a move goes elsewhere");
        }
    }
    assert_eq!(seq, sim.trace().next_seq());
}

fn holds(scenario: &Value, percent: u64) {
    let plan = plan(scenario);
    let keep = Options {
        trace_limit: usize::MAX,
        ..checked()
    };
    let mut sim = start(&plan, keep);
    sim.advance(sim.end(), EVENTS);
    facts(&sim);
    totals(&mut sim);
    // The last instant may be incomplete.
    let until = if sim.handled() < EVENTS {
        sim.end()
    } else {
        SimTime(sim.now().0.saturating_sub(1))
    };
    let wanted = outcome(&mut run(&plan, checked(), until));
    let slow = outcome(&mut run(&plan, every_tick(), until));
    if slow != wanted {
        let parting = first_difference(&plan, every_tick(), checked());
        assert_same(&slow, &wanted, &format!("every tick: {parting}"));
    }
    let early = run(&plan, checked(), SimTime(until.0 * percent / 100));
    let mut resumed = start(&plan, checked());
    resumed
        .restore(&early.snapshot())
        .expect("of this very run");
    resumed.run_until(until);
    assert_same(&outcome(&mut resumed), &wanted, "resumed");
}

/// Turns a panic into a failed case that names its input, so that the input is shrunk.
pub(crate) fn attempt(
    input: &dyn std::fmt::Display,
    work: impl FnOnce() + std::panic::UnwindSafe,
) -> Result<(), TestCaseError> {
    std::panic::catch_unwind(work).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        TestCaseError::fail(format!("{} in {input}", text.unwrap_or_default()))
    })
}

#[test]
fn random_scenarios_keep_every_promise() {
    let mut runner = TestRunner::new(config(if is_nightly() { 2_000 } else { 1_000 }));
    let result = runner.run(&(scenario(), 0_u64..=100), |(scenario, percent)| {
        attempt(&scenario, || holds(&scenario, percent))
    });
    if let Err(e) = result {
        panic!("{e}");
    }
}
