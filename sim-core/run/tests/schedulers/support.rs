//! Shared parts of the tests: scenarios, runs, and a comparison that tells where two runs diverge.

use crate::every_scheduler::{self, lanes::Lane};
use serde_json::{Value, json};
use sim_run::config::plan::Plan;
use sim_run::config::{Scenario, validate};
use sim_run::engine::{Options, Sim};
use sim_run::report;
use sim_run::sched::{SchedulerInfo, registry::ALL};
use sim_run::time::SimTime;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub(crate) const MS: u64 = 1_000_000;

/// A scenario with one scheduler, and its name in messages.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) plan: Arc<Plan>,
    /// Which third of a list it is in.
    turn: usize,
    wanted: OnceLock<String>,
}

impl Case {
    fn new(name: String, plan: Arc<Plan>, turn: usize) -> Self {
        Self {
            name,
            plan,
            turn,
            wanted: OnceLock::new(),
        }
    }

    /// The outcome of a straight run, which is made only once.
    pub(crate) fn wanted(&self) -> &str {
        let make = || outcome(&mut straight(&self.plan, unchecked()));
        self.wanted.get_or_init(make)
    }
}

/// Options with checks and without history. What is wrong after one event is nearly always wrong after the next, too, so
/// the short set of tests looks at every eleventh: it then has time for more runs. `TIMESLICE_NIGHTLY` looks at each.
pub(crate) fn checked() -> Options {
    Options {
        check_every: if is_nightly() { 1 } else { 11 },
        ..Options::default()
    }
}

/// As [`checked`], but without checking the invariants: for copies of a run that is checked once.
pub(crate) fn unchecked() -> Options {
    Options {
        check_every: 0,
        ..checked()
    }
}

/// As [`checked`], with every tick an event.
pub(crate) fn every_tick() -> Options {
    Options {
        fast_forward: false,
        ..checked()
    }
}

/// The plan of a valid scenario.
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

/// The complete result of a run, as text.
pub(crate) fn outcome(sim: &mut Sim) -> String {
    let report = report::report(sim);
    serde_json::to_string_pretty(&report).expect("plain data")
}

/// Compares two outcomes; fails with the first line in which they differ.
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

/// The first record in which two ways of running diverge, for messages.
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
        let key = |r: &sim_run::trace::TraceRecord| (r.at, r.kind, r.cpu, r.task, r.other);
        key(x) != key(y)
    });
    let decision = a
        .decisions()
        .iter()
        .zip(b.decisions().iter())
        .find(|(x, y)| x != y);
    format!("first records that differ: {record:?}\nfirst decisions that differ: {decision:?}")
}

/// Whether `TIMESLICE_SCHEDULER` leaves this scheduler in. It names one, for people who change only that one.
#[allow(clippy::disallowed_methods)] // which schedulers are tested, not what they do
pub(crate) fn is_asked_for(id: &str) -> bool {
    let asked = std::env::var("TIMESLICE_SCHEDULER").unwrap_or_default();
    let known: Vec<&str> = ALL.schedulers.iter().map(|s| s.id).collect();
    assert!(
        asked.is_empty() || known.contains(&asked.as_str()),
        "TIMESLICE_SCHEDULER={asked} is none of {known:?}"
    );
    asked.is_empty() || asked == id
}

/// The schedulers under test: all that are registered, unless one is asked for.
pub(crate) fn schedulers() -> Vec<&'static SchedulerInfo> {
    let all = ALL.schedulers.iter().copied();
    all.filter(|info| is_asked_for(info.id)).collect()
}

/// Every scheduler under test; those with a choice of HZ at 100, 250 and 1000.
pub(crate) fn lanes() -> Vec<Value> {
    let all = every_scheduler::lanes::at_all_rates(&schedulers());
    all.iter().map(Lane::choice).collect()
}

/// The scenario under one scheduler.
fn under(scenario: &Value, lane: &Value, turn: usize) -> Case {
    let mut scenario = scenario.clone();
    scenario["schedulers"] = json!([lane]);
    let name = scenario["name"].as_str().expect("a name");
    let name = format!("{name} under {lane}");
    Case::new(name, plan(&scenario), turn)
}

/// Largest number of threads in a group of a shipped scenario under test, because every event is checked against all of
/// them.
const MOST_THREADS: u64 = 100;

/// The shipped scenarios: id and text. (The registry of the core has the same; a test of it says so.)
fn shipped_texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/experiments");
    let entries = std::fs::read_dir(folder).expect("readable");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    let id = |path: &Path| {
        path.file_stem()
            .expect("named")
            .to_string_lossy()
            .into_owned()
    };
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("readable");
    paths.iter().map(|path| (id(path), read(path))).collect()
}

/// A shipped scenario as it is.
pub(crate) fn shipped_scenario(id: &str) -> Scenario {
    let all = shipped_texts();
    let (_, text) = all.iter().find(|(known, _)| known == id).expect("shipped");
    validate::parse(text).expect("shipped scenarios are valid")
}

/// Every shipped scenario, shortened and with fewer threads, under every scheduler.
pub(crate) fn shipped(end_ns: u64) -> Vec<Case> {
    shipped_under(end_ns, 1)
}

/// The same, each under every third lane, and each lane with every third scenario; at night all. For tests that run a
/// case several times.
pub(crate) fn shipped_in_turn(end_ns: u64) -> Vec<Case> {
    shipped_under(end_ns, short_step())
}

fn shipped_under(end_ns: u64, step: usize) -> Vec<Case> {
    let lanes = lanes();
    let mut all = Vec::new();
    for (i, (id, json)) in shipped_texts().into_iter().enumerate() {
        let mut scenario: Value = serde_json::from_str(&json).expect("shipped");
        scenario["name"] = json!(id);
        // What these fields name may no longer exist.
        for part in ["opening", "answer", "controls"] {
            scenario.as_object_mut().expect("an object").remove(part);
        }
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
            let is_tunable = |path: &String| path.starts_with("lanes.");
            edits.retain(|e| {
                !e["set"]
                    .as_object()
                    .is_some_and(|set| set.keys().any(is_tunable))
            });
        }
        for (turn, lane) in in_turn(&lanes, i, step) {
            all.push(under(&scenario, lane, turn));
        }
    }
    all
}

/// Whether the tests run that the short set leaves out.
#[allow(clippy::disallowed_methods)] // which cases are run, not what they do
pub(crate) fn is_nightly() -> bool {
    std::env::var("TIMESLICE_NIGHTLY").is_ok_and(|v| v == "1")
}

/// The short set has every third of what is run at night.
fn short_step() -> usize {
    if is_nightly() { 1 } else { 3 }
}

/// Small scenarios, without and with edits, that together cover every mechanism, under every scheduler. The short set of
/// tests has each scenario under every third lane, and each lane with every third scenario; `TIMESLICE_NIGHTLY` adds the
/// rest.
pub(crate) fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let lanes = every_scheduler::lanes::at_all_rates(&schedulers());
        let step = short_step();
        let mut all = Vec::new();
        for (i, situation) in every_scheduler::situations("mechanisms")
            .into_iter()
            .enumerate()
        {
            for (turn, lane) in in_turn(&lanes, i, step) {
                let name = format!("{} under {}", situation.name(), lane.choice());
                all.push(Case::new(name, situation.plan(lane), turn));
            }
        }
        all
    })
}

/// Every `step`th lane for the scenario with this number, so that each lane has every `step`th scenario; with the turn of
/// the case. It grows from lane to lane, and from one scenario to the next that has the same lanes: so each third of the
/// cases, too, has every lane.
fn in_turn<T>(lanes: &[T], scenario: usize, step: usize) -> impl Iterator<Item = (usize, &T)> {
    let some = lanes.iter().skip(scenario % step).step_by(step);
    some.enumerate()
        .map(move |(i, lane)| (scenario / step + i, lane))
}

/// A third of a list of cases, another one for each number; at night all of it. For tests of what the engine keeps and
/// finds again: each lane is in each third. Where a scheduler's own state may get lost, all [`cases`] are compared.
pub(crate) fn third(list: &[Case], number: usize) -> impl Iterator<Item = &Case> {
    let step = short_step();
    list.iter()
        .filter(move |case| case.turn % step == number % step)
}

#[test]
fn each_third_of_the_cases_has_every_lane() {
    let lanes = lanes();
    for number in 0..3 {
        for lane in &lanes {
            let found = third(cases(), number).any(|case| case.name.ends_with(&lane.to_string()));
            assert!(found, "third {number} lacks {lane}");
        }
    }
}

/// The time at a percentage of the run.
pub(crate) fn at_percent(sim: &Sim, percent: u64) -> SimTime {
    SimTime(sim.end().0 * percent / 100)
}
