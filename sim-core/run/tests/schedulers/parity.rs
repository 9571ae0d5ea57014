//! A run is the same however it is carried out: with ticks skipped or not, in one piece or several, read or not,
//! interrupted by a snapshot, taken back and forward again, explained, edited live or from the scenario's list.
//!
//! The first test checks the invariants, with every tick. (With ticks skipped, the tests of digests
//! and situations check them.) All other tests compare copies of the same runs, which need not be checked again.

use crate::support::{
    Case, MS, assert_same, at_percent, cases, checked, every_tick, first_difference, outcome,
    shipped_in_turn, start, straight, third, unchecked,
};
use sim_run::config::edit::{Count, Edit, Target};
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::engine::replay::{Replay, StepKind};
use sim_run::engine::{Options, Sim};
use sim_run::frame;
use sim_run::params::{ParamKind, ParamSpec, ParamValue};
use sim_run::report;
use sim_run::rng::Rng;
use sim_run::time::{SimSpan, SimTime};
use std::sync::Arc;

/// As [`unchecked`], with every tick.
fn unchecked_ticks() -> Options {
    Options {
        fast_forward: false,
        ..unchecked()
    }
}

#[test]
fn skipping_quiet_ticks_changes_nothing() {
    for case in shipped_in_turn(1_000 * MS).iter().chain(cases()) {
        let found = outcome(&mut straight(&case.plan, every_tick()));
        if found != case.wanted() {
            let where_ = first_difference(&case.plan, every_tick(), checked());
            assert_same(&found, case.wanted(), &format!("{}\n{where_}", case.name));
        }
    }
}

#[test]
fn skipping_quiet_ticks_skips_some() {
    // Otherwise the test above would compare nothing.
    for case in cases().iter().filter(|c| c.name.contains("a hog alone")) {
        // BFS 0.447 renews the slice of a lone hog whenever it ends: at every tick at 100 Hz. So do programs.
        if case.name.contains("0.447") || case.name.contains("\"own\"") {
            continue;
        }
        let few = straight(&case.plan, unchecked()).handled();
        let many = straight(&case.plan, unchecked_ticks()).handled();
        assert!(few * 10 < many, "{}: {few} of {many}", case.name);
    }
}

/// Another run that continues from a snapshot of this one.
fn restored(sim: &mut Sim, case: &Case, options: Options, at: &str) -> Sim {
    let bytes = sim.snapshot();
    let mut next = start(&case.plan, options);
    next.restore(&bytes).expect("of this very run");
    let what = format!("{} {at}: a snapshot of what was restored", case.name);
    assert!(next.snapshot() == bytes, "{what} is another");
    next
}

#[test]
fn a_restored_snapshot_goes_on_as_if_nothing_had_happened() {
    for case in shipped_in_turn(500 * MS).iter().chain(cases()) {
        // Each snapshot is taken of the run that continued from the one before: if a snapshot loses something, the end
        // differs.
        let mut sim = start(&case.plan, unchecked());
        for percent in [0, 7, 34, 71, 100] {
            sim.run_until(at_percent(&sim, percent));
            sim = restored(&mut sim, case, unchecked(), &format!("at {percent} %"));
        }
        sim.run_until(sim.end());
        assert_same(&outcome(&mut sim), case.wanted(), &case.name);
    }
}

#[test]
fn a_snapshot_amid_an_instant_loses_nothing() {
    for case in cases() {
        let mut sim = start(&case.plan, unchecked());
        let mut before = 0;
        for events in [1, 2, 3, 17, 100, 333] {
            sim.advance(sim.end(), events - before);
            before = events;
            sim = restored(
                &mut sim,
                case,
                unchecked(),
                &format!("after {events} events"),
            );
        }
        sim.run_until(sim.end());
        assert_same(&outcome(&mut sim), case.wanted(), &case.name);
    }
}

#[test]
fn skipping_may_be_switched_on_and_off_by_a_snapshot() {
    for case in third(cases(), 0) {
        let mut sim = start(&case.plan, unchecked());
        for (percent, options) in [(21, unchecked_ticks()), (43, unchecked())] {
            sim.run_until(at_percent(&sim, percent));
            sim = restored(&mut sim, case, options, &format!("at {percent} %"));
        }
        sim.run_until(sim.end());
        assert_same(&outcome(&mut sim), case.wanted(), &case.name);
    }
}

/// Runs on by a random amount: in time, in events, or by one event.
fn piece(sim: &mut Sim, rng: &mut Rng) {
    match rng.below(3) {
        0 => {
            let until = sim.now() + SimSpan(rng.below_u64(9 * MS));
            sim.run_until(until);
        }
        1 => sim.advance(sim.end(), u64::from(rng.below(40))),
        _ => {
            sim.step_event();
        }
    }
}

fn finish(sim: &mut Sim) {
    sim.run_until(sim.end());
}

#[test]
fn random_pieces_make_the_same_run() {
    for (i, case) in (0..).zip(third(cases(), 1)) {
        let mut rng = Rng::stream(i, "pieces", 0);
        let mut sim = start(&case.plan, unchecked());
        for _ in 0..400 {
            piece(&mut sim, &mut rng);
        }
        finish(&mut sim);
        assert_same(&outcome(&mut sim), case.wanted(), &case.name);
    }
}

#[test]
fn looking_at_any_moment_changes_nothing() {
    let mut picture = Vec::new();
    for options in [unchecked(), unchecked_ticks()] {
        for (i, case) in (0..).zip(third(cases(), 2)) {
            let mut rng = Rng::stream(i, "looks", 0);
            let mut sim = start(&case.plan, options);
            for _ in 0..200 {
                piece(&mut sim, &mut rng);
                match rng.below(3) {
                    0 => frame::fill(&mut sim, &mut picture),
                    1 => drop(sim.digest()),
                    _ => drop(report::report(&mut sim)),
                }
            }
            finish(&mut sim);
            assert_same(&outcome(&mut sim), case.wanted(), &case.name);
        }
    }
}

#[test]
fn what_is_kept_changes_nothing() {
    for case in third(cases(), 0) {
        let keep = Options {
            check_every: 0,
            ..Options::interactive()
        };
        let found = outcome(&mut straight(&case.plan, keep));
        assert_same(&found, case.wanted(), &case.name);
    }
}

fn replay(case: &Case) -> Replay {
    let options = Options {
        check_every: 0,
        ..Options::interactive()
    };
    Replay::new(&case.plan, 0, options)
}

/// The outcome of a straight run up to a time.
fn wanted_at(plan: &Arc<Plan>, at: SimTime) -> String {
    let mut sim = start(plan, unchecked());
    sim.run_until(at);
    outcome(&mut sim)
}

/// The outcomes of a straight run up to each of some times, in any order; a separate test checks that reading changes
/// nothing.
fn wanted_at_all(plan: &Arc<Plan>, times: &[SimTime]) -> Vec<String> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|i| times[*i]);
    let mut sim = start(plan, unchecked());
    let mut all = vec![String::new(); times.len()];
    for i in order {
        sim.run_until(times[i]);
        all[i] = outcome(&mut sim);
    }
    all
}

#[test]
fn seeking_anywhere_gives_the_run_at_that_time() {
    let shipped = shipped_in_turn(800 * MS);
    for (i, case) in (0..).zip(third(&shipped, 0).chain(third(cases(), 1))) {
        let mut rng = Rng::stream(i, "seeks", 0);
        let mut replay = replay(case);
        let end = replay.sim().end();
        let times: Vec<SimTime> = (0..5).map(|_| SimTime(rng.below_u64(end.0 + 1))).collect();
        for (to, wanted) in times.iter().zip(wanted_at_all(&case.plan, &times)) {
            assert!(replay.seek(*to, u64::MAX), "{}", case.name);
            let found = outcome(replay.sim_mut());
            let what = format!("{} at {} ns", case.name, to.0);
            assert_same(&found, &wanted, &what);
        }
        replay.seek(end, u64::MAX);
        assert_same(&outcome(replay.sim_mut()), case.wanted(), &case.name);
    }
}

#[test]
fn seeking_in_pieces_arrives() {
    for case in third(cases(), 2) {
        let mut replay = replay(case);
        let end = replay.sim().end();
        for to in [end, SimTime(end.0 / 3), SimTime(0), end] {
            let mut calls = 0;
            while !replay.seek(to, 97) {
                calls += 1;
                assert!(calls < 1_000_000, "{}: never arrives", case.name);
            }
        }
        assert_same(&outcome(replay.sim_mut()), case.wanted(), &case.name);
    }
}

const KINDS: &[&str] = &[
    "event",
    "decision",
    "tick",
    "switch",
    "migration",
    "wakeup",
    "exit",
    "sleep",
    "preemption",
    "sliceEnd",
];

fn kind(replay: &Replay, word: &str) -> StepKind {
    replay.step_kind(word).expect(word)
}

#[test]
fn stepping_back_and_forward_ends_in_the_same_run() {
    for (i, case) in (0..).zip(third(cases(), 0)) {
        let mut rng = Rng::stream(i, "steps", 0);
        let mut replay = replay(case);
        for _ in 0..20 {
            let word = KINDS[rng.below(u32::try_from(KINDS.len()).expect("few")) as usize];
            if rng.below(2) == 0 {
                let kind = kind(&replay, word);
                replay.step(kind);
            } else {
                let kind = kind(&replay, word);
                replay.step_back(kind);
            }
            if rng.below(4) == 0 {
                let to = SimTime(rng.below_u64(replay.sim().end().0));
                replay.seek(to, u64::MAX);
            }
        }
        let end = replay.sim().end();
        replay.seek(end, u64::MAX);
        assert_same(&outcome(replay.sim_mut()), case.wanted(), &case.name);
    }
}

#[test]
fn a_step_back_takes_a_step_forward_back() {
    for case in third(cases(), 1) {
        let mut replay = replay(case);
        for word in KINDS {
            let third = SimTime(replay.sim().end().0 / 3);
            replay.seek(third, u64::MAX);
            let kind = kind(&replay, word);
            // From a place that a step reaches: two steps forward and one back.
            if !replay.step(kind) {
                continue;
            }
            let here = (replay.sim().now(), replay.sim().handled());
            let picture = outcome(replay.sim_mut());
            if !replay.step(kind) {
                continue;
            }
            assert!(replay.step_back(kind), "{}: {word}", case.name);
            let back = (replay.sim().now(), replay.sim().handled());
            assert_eq!(back, here, "{}: {word}", case.name);
            assert_same(&outcome(replay.sim_mut()), &picture, &case.name);
        }
    }
}

#[test]
fn explaining_changes_nothing_and_explains_what_happened() {
    let shipped = shipped_in_turn(300 * MS);
    for case in third(&shipped, 1).chain(third(cases(), 2)) {
        let mut replay = replay(case);
        let end = replay.sim().end();
        replay.advance(SimTime(end.0 / 2), u64::MAX);
        let number = replay.sim().decisions().next_id();
        let before = outcome(replay.sim_mut());
        for id in [0, number / 3, number.saturating_sub(1)] {
            let Some(kept) = replay.sim().decisions().get(id).cloned() else {
                continue;
            };
            let explained = replay.explain(id).expect("it was made");
            let plain = sim_run::sched::decision::Decision {
                explained: None,
                ..explained
            };
            assert_eq!(plain, kept, "{}", case.name);
        }
        assert!(replay.explain(number).is_none(), "{}", case.name);
        assert_same(&outcome(replay.sim_mut()), &before, &case.name);
        replay.advance(end, u64::MAX);
        assert_same(&outcome(replay.sim_mut()), case.wanted(), &case.name);
    }
}

/// The scenario of a plan with other edits.
fn with_edits(plan: &Plan, edits: &[sim_run::config::edit::TimedEdit]) -> Arc<Plan> {
    let mut scenario = plan.scenario.clone();
    scenario.edits = edits.to_vec();
    Arc::new(validate::plan(&scenario).expect("edits were checked when they were made"))
}

fn live_edits(case: &Case) -> Vec<Edit> {
    let group = |name: &str| Target {
        group: Some(name.to_owned()),
        thread: None,
    };
    let all = Target::default;
    let mut edits = vec![
        Edit::SetNice {
            target: all(),
            nice: 7,
        },
        Edit::Pin {
            target: all(),
            cpus: vec![0],
        },
        Edit::Unpin { target: all() },
        Edit::SetWorkingSet {
            target: all(),
            bytes: 4_096,
        },
        Edit::SetCount {
            group: None,
            count: Count::Fewer(1),
        },
        Edit::Pause { target: all() },
        Edit::Resume { target: all() },
    ];
    if let Some(first) = case.plan.scenario.groups.first() {
        for count in [Count::To(first.count), Count::More(3)] {
            edits.push(Edit::SetCount {
                group: Some(first.name.clone()),
                count,
            });
        }
        edits.push(Edit::SetNice {
            target: group(&first.name),
            nice: -11,
        });
    }
    let tunables = case.plan.lanes[0].era.tunables;
    edits.extend(
        tunables
            .iter()
            .filter(|t| t.live)
            .map(|t| Edit::SetTunable {
                lane: None,
                id: t.id.to_owned(),
                value: default_of(t),
            }),
    );
    edits
}

fn default_of(spec: &ParamSpec) -> ParamValue {
    match spec.kind {
        ParamKind::Int { default, .. } => ParamValue::Int(default),
        ParamKind::Flag { default } => ParamValue::Flag(default),
        ParamKind::Choice { default, .. } | ParamKind::Text { default, .. } => {
            ParamValue::Choice(default.to_owned())
        }
    }
}

#[test]
fn a_live_edit_is_the_same_as_one_in_the_scenario() {
    for (i, case) in (0..).zip(third(cases(), 0)) {
        let mut rng = Rng::stream(i, "edits", 0);
        let mut replay = replay(case);
        let end = replay.sim().end();
        let edits = live_edits(case);
        for _ in 0..6 {
            // At any time: between events, within an instant, at the time of the last event.
            match rng.below(4) {
                0 => drop(replay.step(StepKind::Event)),
                1 => replay.advance(end, u64::from(rng.below(30))),
                2 => {}
                _ => {
                    let until = replay.sim().now() + SimSpan(rng.below_u64(end.0 / 9));
                    replay.advance(until, u64::MAX);
                }
            }
            let edit = &edits[rng.below(u32::try_from(edits.len()).expect("few")) as usize];
            if replay.edit(edit.clone(), None).is_err() {
                assert!(replay.sim().is_finished(), "{}", case.name);
            }
        }
        replay.advance(end, u64::MAX);
        let plan = with_edits(&case.plan, replay.edits());
        let wanted = outcome(&mut straight(&plan, unchecked()));
        assert_same(&outcome(replay.sim_mut()), &wanted, &case.name);
        // The past still exists.
        let half = SimTime(end.0 / 2);
        replay.seek(half, u64::MAX);
        let wanted = wanted_at(&plan, half);
        assert_same(&outcome(replay.sim_mut()), &wanted, &case.name);
    }
}

#[test]
fn an_edit_after_going_back_replaces_nothing_of_the_past() {
    for case in third(cases(), 1) {
        let mut replay = replay(case);
        let end = replay.sim().end();
        let spare = |percent: u64| SimTime(end.0 * percent / 100);
        replay.seek(spare(80), u64::MAX);
        replay.seek(spare(30), u64::MAX);
        if replay.sim().is_finished() {
            continue;
        }
        replay
            .edit(
                Edit::SetNice {
                    target: Target::default(),
                    nice: 9,
                },
                None,
            )
            .expect("a valid edit");
        replay.seek(spare(10), u64::MAX);
        replay.seek(end, u64::MAX);
        let plan = with_edits(&case.plan, replay.edits());
        let wanted = outcome(&mut straight(&plan, unchecked()));
        assert_same(&outcome(replay.sim_mut()), &wanted, &case.name);
    }
}
