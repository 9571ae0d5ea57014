//! Hints about slices that change nothing: each is held against the run without the slice.

use crate::support::{MS, plan, start};
use serde_json::{Value, json};
use sim_run::config::notices;
use sim_run::config::slices::{SliceHint, SliceWhy, of_plan};
use sim_run::engine::Options;
use sim_run::ids::CpuId;
use sim_run::present;
use sim_run::time::SimTime;

const EEVDF: [&str; 4] = ["6.12", "6.18", "7.2", "7.3"];

/// Two groups on one CPU, or on two.
fn scenario((id, era): (&str, &str), hz: u32, asked: Option<u64>, cpus: [u16; 2]) -> Value {
    let tunables = if ["cfs", "eevdf"].contains(&id) {
        json!({ "hz": hz })
    } else {
        json!({})
    };
    json!({
        "version": 2, "name": "slices", "machine": "i7860",
        "schedulers": [{ "id": id, "era": era, "tunables": tunables }],
        "groups": [
            { "name": "asks", "count": 1, "behaviour": { "kind": "dhrystone" },
              "sliceNs": asked, "allowed": [cpus[0]] },
            { "name": "other", "count": 1, "behaviour": { "kind": "dhrystone" }, "allowed": [cpus[1]] },
        ],
        "end": { "atNs": 400 * MS },
    })
}

/// Who has each CPU, looked at ten times a millisecond.
fn who_runs(scenario: &Value) -> Vec<Vec<Option<u32>>> {
    let plan = plan(scenario);
    let mut sim = start(&plan, Options::default());
    (1..=4_000)
        .map(|i| {
            sim.run_until(SimTime(i * MS / 10));
            let cpus = (0..plan.machine.cpu_count()).map(CpuId::new);
            let task = |cpu| {
                sim.curr(cpu)
                    .map(|task| u32::try_from(task.index()).expect("few"))
            };
            cpus.map(task).collect()
        })
        .collect()
}

/// How long turns on CPU 0 last, in tenths of a millisecond; the first and the last may be cut.
fn turns(scenario: &Value) -> Vec<usize> {
    let seen = who_runs(scenario);
    let lengths = seen.chunk_by(|a, b| a[0] == b[0]).map(<[_]>::len);
    let all: Vec<usize> = lengths.collect();
    all[1..all.len() - 1].to_vec()
}

fn hint(scenario: &Value) -> Option<SliceHint> {
    let plan = plan(scenario);
    let at_first = of_plan(&plan, 0);
    let told = notices::notices(&plan);
    let lines: Vec<&str> = told.iter().map(|n| n.message.as_str()).collect();
    let texts: Vec<&str> = at_first.iter().map(|h| h.text.as_str()).collect();
    assert_eq!(lines, texts, "`timeslice check` says the same");
    let sim = start(&plan, Options::default());
    assert_eq!(
        present::slice_hints(&sim),
        at_first,
        "a run begins as planned"
    );
    assert!(at_first.len() < 2);
    at_first.into_iter().next()
}

fn why(scenario: &Value) -> Option<SliceWhy> {
    hint(scenario).map(|hint| hint.why)
}

#[test]
fn where_a_hint_says_that_a_slice_changes_nothing_the_run_without_it_is_the_same() {
    let others = [
        ("cfs", "6.1"),
        ("eevdf", "6.6"),
        ("ule", "2013-06"),
        ("bfs", "0.512"),
    ];
    for lane in others {
        for asked in [MS / 10, 100 * MS] {
            let with = scenario(lane, 1_000, Some(asked), [0, 0]);
            assert_eq!(why(&with), Some(SliceWhy::NotHere), "{lane:?}");
            assert_eq!(
                who_runs(&with),
                who_runs(&scenario(lane, 1_000, None, [0, 0])),
                "{lane:?}"
            );
        }
    }
    for era in EEVDF {
        let without = scenario(("eevdf", era), 1_000, None, [0, 1]);
        let mut real_time = scenario(("eevdf", era), 1_000, Some(20 * MS), [0, 0]);
        real_time["groups"][0]["policy"] = json!("roundRobin");
        real_time["groups"][0]["rtPriority"] = json!(5);
        assert_eq!(why(&real_time), Some(SliceWhy::RealTime), "{era}");
        let seen = who_runs(&real_time);
        real_time["groups"][0]["sliceNs"] = Value::Null;
        assert_eq!(why(&real_time), None);
        assert_eq!(seen, who_runs(&real_time), "{era}");
        for asked in [MS / 10, 20 * MS, 100 * MS] {
            let with = scenario(("eevdf", era), 1_000, Some(asked), [0, 1]);
            assert_eq!(why(&with), Some(SliceWhy::Alone), "{era}");
            assert_eq!(who_runs(&with), who_runs(&without), "{era}");
        }
    }
}

#[test]
fn a_slice_below_a_tick_makes_no_shorter_turns_and_the_hint_says_so() {
    for era in ["6.12", "6.18"] {
        for hz in [100, 250] {
            let tick = 1_000_000_000 / u64::from(hz);
            let of = |asked| scenario(("eevdf", era), hz, Some(asked), [0, 0]);
            let told = hint(&of(MS / 10)).expect("a hint");
            assert_eq!(
                (told.why, told.tick_ns, told.tasks),
                (SliceWhy::Tick, tick, vec![0])
            );
            let whole = turns(&of(tick));
            assert_eq!(why(&of(tick)), None);
            for asked in [MS / 10, tick - MS] {
                assert_eq!(turns(&of(asked)), whole, "{era}, HZ {hz}, {asked} ns");
            }
            let ticks = usize::try_from(tick / (MS / 10)).expect("short");
            // The first ones begin with a switch in.
            assert!(
                whole[2..].iter().all(|length| length % ticks == 0),
                "{whole:?}"
            );
        }
    }
}

#[test]
fn where_no_hint_is_given_a_slice_changes_the_run() {
    for era in EEVDF {
        let lane = ("eevdf", era);
        let is_timed = era.starts_with('7');
        let asked = if is_timed { MS / 2 } else { 20 * MS };
        let with = scenario(lane, 250, Some(asked), [0, 0]);
        assert_eq!(why(&with), None, "{era}");
        assert_ne!(
            who_runs(&with),
            who_runs(&scenario(lane, 250, None, [0, 0])),
            "{era}"
        );
    }
}

#[test]
fn company_that_an_edit_brings_ends_what_was_said() {
    let mut with = scenario(("eevdf", "6.12"), 1_000, Some(20 * MS), [0, 1]);
    with["edits"] = json!([{ "atNs": 10 * MS, "set": { "groups.other.allowed": [0] } }]);
    let plan = plan(&with);
    assert_eq!(of_plan(&plan, 0), []);
    let mut sim = start(&plan, Options::default());
    assert_eq!(present::slice_hints(&sim)[0].why, SliceWhy::Alone);
    sim.run_until(SimTime(11 * MS));
    assert_eq!(present::slice_hints(&sim), []);
}

#[test]
fn a_slice_that_an_edit_asks_for_has_its_hint() {
    let mut with = scenario(("eevdf", "6.18"), 250, None, [0, 0]);
    with["edits"] = json!([{ "atNs": 10 * MS, "set": { "threads.other-1.sliceNs": MS } }]);
    let plan = plan(&with);
    let told = of_plan(&plan, 0);
    assert_eq!(told.len(), 1);
    assert_eq!(
        (told[0].group.as_str(), told[0].why),
        ("other", SliceWhy::Tick)
    );
}
