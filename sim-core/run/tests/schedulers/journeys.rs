//! Random sequences of a user's actions on random runs: playing, going to any time, stepping, changing, reading the
//! past. They never panic, and leave exactly the run that the scenario with its logged edits describes.

use crate::properties::{RawEdit, attempt, config, cpu_count, edit, scenario, write_edit};
use crate::support::{MS, checked, plan};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim_run::config::edit::TimedEdit;
use sim_run::engine::Options;
use sim_run::engine::replay::{DecisionFilter, Replay};
use sim_run::ids::{CpuId, TaskId};
use sim_run::time::SimTime;

/// An action. Places are in thousandths of the time (or of the events so far).
#[derive(Clone, Debug)]
enum Move {
    Advance(u64, u64),
    Seek(u64, u64),
    SeekEvent(u64),
    Step {
        kind: usize,
        back: bool,
        task: Option<u8>,
        cpu: Option<u8>,
    },
    Edit(RawEdit, Option<u32>),
    /// An edit and its removal at the same time, as a drag makes them.
    EditAndTakeBack(RawEdit, Option<u32>),
    Explain(u64),
    LookBack(u64, u64, usize),
    KeepAndRestore,
}

const KINDS: &[&str] = &[
    "event",
    "tick",
    "decision",
    "switch",
    "migration",
    "wakeup",
    "preemption",
    "sliceEnd",
    "exit",
    "steal",
    "balance",
];

fn step() -> impl Strategy<Value = Move> {
    let some = || proptest::option::weighted(0.3, 0_u8..20);
    (0..KINDS.len(), any::<bool>(), some(), some()).prop_map(|(kind, back, task, cpu)| Move::Step {
        kind,
        back,
        task,
        cpu,
    })
}

fn one_move() -> impl Strategy<Value = Move> {
    let place = || prop_oneof![0_u64..=1_000, Just(0), Just(1_000)];
    prop_oneof![
        3 => (place(), 1_u64..3_000).prop_map(|(at, n)| Move::Advance(at, n)),
        3 => (place(), prop_oneof![Just(u64::MAX), 1_u64..500]).prop_map(|(at, n)| Move::Seek(at, n)),
        1 => place().prop_map(Move::SeekEvent),
        4 => step(),
        3 => (edit(), proptest::option::weighted(0.2, 0_u32..2)).prop_map(|(e, l)| Move::Edit(e, l)),
        1 => (edit(), proptest::option::weighted(0.2, 0_u32..2))
            .prop_map(|(e, l)| Move::EditAndTakeBack(e, l)),
        1 => place().prop_map(Move::Explain),
        1 => (place(), place(), 0_usize..400).prop_map(|(a, b, n)| Move::LookBack(a, b, n)),
        1 => Just(Move::KeepAndRestore),
    ]
}

/// Calls until there is an answer, as the page does, up to a limit.
fn until_known(mut ask: impl FnMut() -> bool) {
    for _ in 0..40 {
        if ask() {
            return;
        }
    }
}

/// The edit, if it is valid in this scenario.
fn timed_edit(raw: &RawEdit, scenario: &Value) -> Option<TimedEdit> {
    let groups = scenario["groups"].as_array().map_or(0, Vec::len);
    let cpus = cpu_count(&scenario["machine"]);
    let has_first = scenario["groups"][0]["count"].as_u64() > Some(0);
    let end = scenario["end"]["atNs"].as_u64().expect("an end");
    let choice = &scenario["schedulers"][0];
    let timed = write_edit(raw, groups, cpus, end, choice, has_first)?;
    Some(serde_json::from_value(timed).expect("of the right shape"))
}

fn make(replay: &mut Replay, scenario: &Value, m: &Move) {
    let end = replay.sim().end().0;
    let at = |permille: u64| SimTime(end / 1_000 * permille);
    match m {
        Move::Advance(to, events) => replay.advance(at(*to), *events),
        Move::Seek(to, events) => until_known(|| replay.seek(at(*to), *events)),
        Move::SeekEvent(permille) => {
            let number = replay.sim().handled() * permille / 1_000;
            let end = replay.sim().end();
            until_known(|| replay.seek_event(number, end, 2_000));
        }
        Move::Step {
            kind,
            back,
            task,
            cpu,
        } => {
            let kind = replay
                .step_kind(KINDS[*kind])
                .expect("the page's words are known");
            let about = DecisionFilter {
                task: task.map(|t| TaskId::new(usize::from(t))),
                cpu: cpu.map(|c| CpuId::new(usize::from(c))),
            };
            until_known(|| {
                if *back {
                    replay.run_back_to(kind, about).is_some()
                } else {
                    replay.run_to(kind, about, 500).is_some()
                }
            });
        }
        Move::EditAndTakeBack(raw, lane) => {
            let here = replay.sim().now();
            while !replay.seek(here, u64::MAX) {}
            let before = (replay.sim().handled(), replay.sim_mut().digest());
            make(replay, scenario, &Move::Edit(raw.clone(), *lane));
            while !replay.take_back(before.0, here, 100) {}
            assert_eq!((replay.sim().handled(), replay.sim_mut().digest()), before);
        }
        Move::Edit(raw, lane) => {
            if let Some(timed) = timed_edit(raw, scenario) {
                let before = (replay.sim().handled(), replay.sim_mut().digest());
                let refused = replay.edit(timed.edit, *lane).is_err();
                // The events due at this instant may have happened.
                if refused && replay.sim().handled() == before.0 {
                    assert_eq!(
                        replay.sim_mut().digest(),
                        before.1,
                        "a refused edit changed the run"
                    );
                }
            }
        }
        Move::Explain(permille) => {
            let next = replay.sim().decisions().next_id();
            drop(replay.explain(next * permille / 1_000));
        }
        Move::LookBack(a, b, most) => {
            let before = replay.sim_mut().digest();
            let (from, to) = (at(*a.min(b)), at(*a.max(b)));
            drop(replay.slices(from, to, *most));
            drop(replay.stretches(from, to, *most));
            drop(replay.samples(from, to, &[TaskId::new(0), TaskId::new(300)], *most));
            assert_eq!(
                replay.sim_mut().digest(),
                before,
                "looking back changes nothing"
            );
        }
        Move::KeepAndRestore => {
            let bytes = replay.snapshot();
            replay.restore(&bytes).expect("of this very run");
        }
    }
}

/// Carries out the actions, and then goes straight to the place where they ended.
fn travels(scenario: &Value, moves: &[Move]) {
    let options = Options {
        check_every: 1,
        ..Options::interactive()
    };
    let mut replay = Replay::new(&plan(scenario), 0, options);
    for m in moves {
        make(&mut replay, scenario, m);
    }
    let (now, handled) = (replay.sim().now(), replay.sim().handled());
    let mut logged = scenario.clone();
    logged["edits"] = json!(replay.edits());
    let mut again = Replay::new(&plan(&logged), 0, checked());
    again.seek_event(handled, now, u64::MAX);
    assert_eq!(
        (
            again.sim().now(),
            again.sim().handled(),
            again.sim_mut().digest()
        ),
        (now, handled, replay.sim_mut().digest()),
        "another run after {moves:?} than that of {logged}"
    );
}

#[test]
fn random_journeys_leave_the_run_that_their_log_describes() {
    let strategy = (scenario(), proptest::collection::vec(one_move(), 1..12));
    let mut runner = TestRunner::new(config(400));
    let result = runner.run(&strategy, |(mut scenario, moves)| {
        let end = scenario["end"]["atNs"].as_u64().expect("an end");
        scenario["end"]["atNs"] = json!(end.min(120 * MS));
        attempt(&scenario, || travels(&scenario, &moves))
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}
