//! What the tests share: scenarios, runs, and a comparison that says where two runs part.

use serde_json::{Value, json};
use sim_core::config::plan::Plan;
use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::experiment;
use sim_core::params::ParamKind;
use sim_core::report;
use sim_core::sched::registry::SCHEDULERS;
use sim_core::time::SimTime;
use std::sync::Arc;

pub(crate) const MS: u64 = 1_000_000;

/// A scenario with one scheduler, and a name for messages.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) plan: Arc<Plan>,
}

/// Checks after every event, nothing kept.
pub(crate) fn checked() -> Options {
    Options {
        check: true,
        ..Options::default()
    }
}

/// The same, with every tick an event.
pub(crate) fn every_tick() -> Options {
    Options {
        fast_forward: false,
        ..checked()
    }
}

/// A checked scenario.
pub(crate) fn plan(scenario: &Value) -> Arc<Plan> {
    let scenario = validate::parse(&scenario.to_string())
        .unwrap_or_else(|e| panic!("{}: {e:?}", scenario["name"]));
    Arc::new(validate::plan(&scenario).unwrap_or_else(|e| panic!("{}: {e:?}", scenario.name)))
}

/// A run of the only lane, from the start.
pub(crate) fn start(plan: &Arc<Plan>, options: Options) -> Sim {
    Sim::new(plan, 0, options)
}

/// A run to the end.
pub(crate) fn straight(plan: &Arc<Plan>, options: Options) -> Sim {
    let mut sim = start(plan, options);
    sim.run_until(sim.end());
    sim
}

/// Everything that comes out of a run, as text.
pub(crate) fn outcome(sim: &mut Sim) -> String {
    let report = report::report(sim);
    serde_json::to_string_pretty(&report).expect("plain data")
}

/// Two outcomes are the same, or the first line in which they differ.
#[track_caller]
pub(crate) fn assert_same(found: &str, wanted: &str, what: &str) {
    if found == wanted {
        return;
    }
    let differ: Vec<String> = found
        .lines()
        .zip(wanted.lines())
        .filter(|(a, b)| a != b)
        .take(4)
        .map(|(a, b)| format!("{} | wanted {}", a.trim(), b.trim()))
        .collect();
    panic!("{what}: another run\n{}", differ.join("\n"));
}

/// The first record in which two ways of running part, for messages.
pub(crate) fn first_difference(plan: &Arc<Plan>, a: Options, b: Options) -> String {
    let run = |options| {
        let keep = Options {
            trace_limit: 2_000_000,
            decision_limit: 2_000_000,
            ..options
        };
        straight(plan, keep)
    };
    let (a, b) = (run(a), run(b));
    let records = a.trace().from_seq(0).zip(b.trace().from_seq(0));
    let record = records.into_iter().find(|(x, y)| {
        let key = |r: &sim_core::trace::TraceRecord| (r.at, r.kind, r.cpu, r.task, r.other);
        key(x) != key(y)
    });
    let decision = a
        .decisions()
        .iter()
        .zip(b.decisions().iter())
        .find(|(x, y)| x != y);
    format!("first records that differ: {record:?}\nfirst decisions that differ: {decision:?}")
}

/// Every registered scheduler, those with a choice of HZ at 100, 250 and 1000.
pub(crate) fn lanes() -> Vec<Value> {
    let mut all = Vec::new();
    for info in SCHEDULERS {
        for era in info.eras {
            let has_hz = era.tunables.iter().any(|t| t.id == "hz");
            let rates: &[u64] = if has_hz { &[100, 250, 1000] } else { &[0] };
            for hz in rates {
                let mut lane = json!({ "id": info.id, "era": era.id });
                if has_hz {
                    lane["tunables"] = json!({ "hz": hz });
                }
                all.push(lane);
            }
        }
    }
    all
}

/// The scenario under one scheduler. An edit `"kind": "everyTunable"` becomes one edit for each tunable
/// that may change during a run, through the ends of its range and back.
fn under(scenario: &Value, lane: &Value) -> Case {
    let mut scenario = scenario.clone();
    scenario["schedulers"] = json!([lane]);
    let edits = scenario["edits"].as_array().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for edit in edits {
        if edit["edit"]["kind"] != "everyTunable" {
            all.push(edit);
            continue;
        }
        let mut at = edit["atNs"].as_u64().expect("a time");
        for info in SCHEDULERS.iter().filter(|s| lane["id"] == s.id) {
            let era = info.eras.iter().find(|e| lane["era"] == e.id);
            for t in era.expect("listed").tunables.iter().filter(|t| t.live) {
                let values = match t.kind {
                    ParamKind::Int {
                        min, max, default, ..
                    } => vec![json!(min), json!(max), json!(default)],
                    ParamKind::Flag { default } => vec![json!(!default), json!(default)],
                    ParamKind::Choice { options, default } => {
                        options.iter().chain([&default]).map(|o| json!(o)).collect()
                    }
                    ParamKind::Text { .. } => continue,
                };
                for value in values {
                    all.push(json!({
                        "atNs": at,
                        "edit": { "kind": "setTunable", "id": t.id, "value": value },
                    }));
                    at += 37 * MS + 11;
                }
            }
        }
    }
    scenario["edits"] = Value::Array(all);
    let name = scenario["name"].as_str().expect("a name");
    let name = format!("{name} under {lane}");
    let plan = plan(&scenario);
    Case { name, plan }
}

/// Most threads of a group in a shipped scenario under test: every event is checked against all of them.
const MOST_THREADS: u64 = 100;

/// Every shipped scenario, cut short and with fewer threads, under every scheduler.
pub(crate) fn shipped(end_ns: u64) -> Vec<Case> {
    let mut all = Vec::new();
    for (id, json) in experiment::registry::SCENARIOS {
        let mut scenario: Value = serde_json::from_str(json).expect("shipped");
        scenario["name"] = json!(id);
        let end = scenario["end"]["atNs"].as_u64().expect("an end");
        scenario["end"]["atNs"] = json!(end.min(end_ns));
        for group in scenario["groups"].as_array_mut().expect("groups") {
            let fewer = |n: &Value| json!(n.as_u64().expect("a number").min(MOST_THREADS));
            group["count"] = fewer(&group["count"]);
            if let Some(threads) = group.pointer_mut("/behaviour/params/threads") {
                *threads = fewer(threads);
            }
        }
        if let Some(edits) = scenario.get_mut("edits").and_then(Value::as_array_mut) {
            edits.retain(|e| e["edit"]["kind"] != "setTunable");
        }
        all.extend(lanes().iter().map(|lane| under(&scenario, lane)));
    }
    all
}

/// A small scenario: CPUs are cores of a package with that many contexts each.
fn small(name: &str, cores: u16, smt: u16, groups: &Value) -> Value {
    let mut machine = sim_core::machine::registry::spec("i7860").expect("shipped");
    "test".clone_into(&mut machine.id);
    let core = &mut machine.topology.packages[0].nodes[0].llcs[0].cores[0];
    (core.count, core.smt) = (cores, smt);
    json!({
        "version": 1,
        "name": name,
        "seed": 7,
        "machine": machine,
        "schedulers": [],
        "groups": groups,
        "end": { "atNs": 600 * MS },
    })
}

fn with(mut scenario: Value, key: &str, value: Value) -> Value {
    scenario[key] = value;
    scenario
}

fn hogs(count: u32) -> Value {
    json!({ "name": "hog", "count": count, "behaviour": { "kind": "dhrystone" } })
}

fn script(name: &str, count: u32, program: &str, child: &str) -> Value {
    json!({
        "name": name, "count": count,
        "behaviour": { "kind": "script", "params": { "program": program, "child": child } },
        "startSpacingNs": 300_001,
    })
}

/// Threads that wait for each other, in every way that there is.
fn partners() -> Value {
    let group = |name: &str, count: u32, kind: &str, params: Value| {
        json!({
            "name": name, "count": count, "startSpacingNs": 200_003,
            "behaviour": { "kind": kind, "params": params },
        })
    };
    let server = json!({ "inFlight": 3, "requests": 90, "injectUs": 300, "serveUs": 700 });
    let line = json!({ "stages": 3, "pipeHolds": 2, "workUs": 150, "messages": 300 });
    let meeting = json!({ "computeUs": 2_500, "imbalancePercent": 60 });
    let tracer = json!({ "threads": 5, "createUs": 70, "shellUs": 9_000, "workMs": 30 });
    json!([
        group("web", 4, "requestServer", server),
        group("line", 6, "pipeline", line),
        group("omp", 3, "barrier", meeting),
        group("cray", 1, "rayTracer", tracer),
        group("surf", 5, "browser", json!({})),
    ])
}

fn policy(name: &str, policy: &str, behaviour: &Value) -> Value {
    let mut group = json!({ "name": name, "count": 2, "behaviour": behaviour, "policy": policy });
    if policy == "fifo" || policy == "roundRobin" {
        group["rtPriority"] = json!(10);
    }
    group
}

fn interactive(name: &str, count: u32, compute_us: u64, sleep_us: u64) -> Value {
    json!({
        "name": name, "count": count,
        "behaviour": {
            "kind": "interactive",
            "params": {
                "computeUs": compute_us, "sleepUs": sleep_us,
                "computeShape": "exponential", "sleepShape": "uniform",
            },
        },
    })
}

/// Scenarios without edits and with them, that together touch every mechanism.
fn small_scenarios() -> Vec<Value> {
    let hog = json!({ "kind": "dhrystone" });
    let brief = json!({ "kind": "script", "params": { "program": "run 3ms; sleep 9ms; repeat" } });
    let all_policies = json!([
        policy("normal", "normal", &hog),
        policy("batch", "batch", &brief),
        policy("idle", "idle", &hog),
        policy("iso", "iso", &hog),
        policy("fifo", "fifo", &brief),
        policy("rr", "roundRobin", &brief),
    ]);
    let nices = json!([
        { "name": "a", "count": 2, "behaviour": hog, "nice": -20 },
        { "name": "b", "count": 2, "behaviour": hog, "nice": 5 },
        { "name": "c", "count": 2, "behaviour": hog, "nice": 20 },
        { "name": "d", "count": 2, "behaviour": brief, "nice": 19 },
    ]);
    let mix = json!([
        hogs(3),
        interactive("ed", 4, 700, 5_000),
        interactive("key", 2, 40, 31_000)
    ]);
    let desktop = json!({
        "daemons": { "wakesPerSecond": 900 },
        "kernelThreads": { "wakesPerSecond": 40 },
    });
    let yields = json!([
        { "name": "y", "count": 3, "behaviour": { "kind": "yieldLoop", "params": { "computeNs": 90_000 } } },
        { "name": "z", "count": 1, "behaviour": { "kind": "yieldLoop", "params": { "yields": 400 } } },
        hogs(2),
    ]);
    let aligned = json!({ "tickPhase": "aligned", "idleTicks": "ticking" });
    let no_delay = json!({ "kickNs": 0, "idleExitNs": 0, "idleExitDeepNs": 0 });
    vec![
        small("nothing at all", 2, 1, &json!([])),
        small("a hog alone", 1, 1, &json!([hogs(1)])),
        small("fewer hogs than CPUs", 4, 2, &json!([hogs(3)])),
        small("as many hogs as CPUs", 2, 2, &json!([hogs(4)])),
        small("more hogs than CPUs", 2, 2, &json!([hogs(11)])),
        small("hogs and typists", 2, 2, &mix),
        with(
            small("typists, aligned", 3, 1, &mix),
            "timing",
            aligned.clone(),
        ),
        with(
            small("typists, no delays", 2, 2, &mix),
            "timing",
            no_delay.clone(),
        ),
        with(
            small(
                "idle ticks, staggered",
                4,
                1,
                &json!([interactive("ed", 2, 900, 20_000)]),
            ),
            "timing",
            json!({ "idleTicks": "ticking" }),
        ),
        small("yields", 2, 1, &yields),
        with(
            small("yields, no delays", 1, 2, &yields),
            "timing",
            no_delay,
        ),
        with(
            small(
                "scripts that fork",
                2,
                2,
                &json!([
                    script(
                        "make",
                        2,
                        "run 2ms; fork; sleep 7ms; fork; yield; fork; repeat",
                        "run 3ms; sleep 1ms; run 4ms"
                    ),
                    script(
                        "sh",
                        1,
                        "fork; fork; run 90ms; exit",
                        "run 11ms; yield; run 2ms"
                    ),
                ]),
            ),
            "end",
            json!({ "atNs": 250 * MS }),
        ),
        with(
            small(
                "ends when all have ended",
                2,
                1,
                &json!([script("job", 5, "run 20ms; sleep 3ms; run 9ms", "run 1ms")]),
            ),
            "end",
            json!({ "atNs": 600 * MS, "whenAllExited": true }),
        ),
        small("partners", 2, 2, &partners()),
        with(
            small("partners that are killed and pinned", 2, 1, &partners()),
            "edits",
            json!([
                { "atNs": 40 * MS, "edit": { "kind": "kill", "target": { "group": "omp" }, "count": 1 } },
                { "atNs": 41 * MS, "edit": { "kind": "kill", "target": { "thread": "web-3" } } },
                { "atNs": 60 * MS, "edit": { "kind": "pin", "cpus": [1] } },
                { "atNs": 80 * MS, "edit": { "kind": "spawn", "group": "omp", "count": 2 } },
                { "atNs": 90 * MS, "edit": { "kind": "unpin" } },
                { "atNs": 130 * MS, "edit": { "kind": "kill", "target": { "group": "cray" }, "count": 2 } },
            ]),
        ),
        small("nice", 2, 1, &nices),
        small("policies", 2, 2, &all_policies),
        with(
            small("policies, aligned", 2, 1, &all_policies),
            "timing",
            aligned,
        ),
        with(
            small("desktop", 4, 2, &json!([hogs(4)])),
            "background",
            desktop.clone(),
        ),
        with(small("busy desktop", 2, 2, &mix), "background", desktop),
        edited(),
    ]
}

/// Edits of every kind, some at the same instant, some at a tick.
fn edited() -> Value {
    let mut groups = json!([
        hogs(3),
        interactive("ed", 2, 2_000, 6_000),
        script(
            "make",
            1,
            "run 8ms; fork; sleep 4ms; repeat",
            "run 3ms; sleep 2ms; run 1ms"
        ),
        policy("iso", "iso", &json!({ "kind": "dhrystone" })),
    ]);
    groups[0]["workingSetBytes"] = json!(4_096);
    let at = |ns: u64, edit: Value| json!({ "atNs": ns, "edit": edit });
    let hog = json!({ "group": "hog" });
    let edits = json!([
        at(0, json!({ "kind": "setNice", "target": hog, "nice": 3 })),
        at(
            20 * MS,
            json!({ "kind": "setNice", "target": { "thread": "hog-2" }, "nice": -9 })
        ),
        at(
            20 * MS,
            json!({ "kind": "pin", "target": { "group": "ed" }, "cpus": [1] })
        ),
        at(
            33 * MS + 7,
            json!({ "kind": "pin", "target": hog, "cpus": [0, 2] })
        ),
        at(50 * MS, json!({ "kind": "pin", "cpus": [3] })),
        at(61 * MS, json!({ "kind": "unpin" })),
        at(
            61 * MS,
            json!({ "kind": "spawn", "group": "ed", "count": 3 })
        ),
        at(
            61 * MS,
            json!({ "kind": "pin", "target": { "group": "ed" }, "cpus": [2] })
        ),
        at(
            62 * MS,
            json!({ "kind": "kill", "target": { "thread": "ed-5" } })
        ),
        at(
            75 * MS,
            json!({ "kind": "setWorkingSet", "target": hog, "bytes": 9_000 })
        ),
        at(
            80 * MS,
            json!({ "kind": "kill", "target": hog, "count": 1 })
        ),
        at(
            90 * MS,
            json!({ "kind": "spawn", "group": "hog", "count": 6 })
        ),
        at(120 * MS, json!({ "kind": "everyTunable" })),
        at(
            200 * MS,
            json!({ "kind": "kill", "target": { "group": "make" } })
        ),
        at(410 * MS, json!({ "kind": "kill" })),
        at(
            450 * MS,
            json!({ "kind": "spawn", "group": "iso", "count": 2 })
        ),
        at(470 * MS, json!({ "kind": "setNice", "nice": 20 })),
    ]);
    with(small("edits", 2, 2, &groups), "edits", edits)
}

/// Every small scenario under every scheduler.
pub(crate) fn cases() -> Vec<Case> {
    let lanes = lanes();
    small_scenarios()
        .iter()
        .flat_map(|s| lanes.iter().map(|lane| under(s, lane)))
        .collect()
}

/// The time at so many percent of the run.
pub(crate) fn at_percent(sim: &Sim, percent: u64) -> SimTime {
    SimTime(sim.end().0 * percent / 100)
}
