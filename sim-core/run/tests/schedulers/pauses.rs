//! Threads that are stopped, resumed and copied, under every scheduler.

use crate::support::{MS, assert_same, checked, lanes, outcome, plan};
use serde_json::{Value, json};
use sim_run::config::edit::{Edit, Target};
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim, TaskState};
use sim_run::frame;
use sim_run::ids::{CpuId, TaskId};
use sim_run::present::present;
use sim_run::time::SimTime;
use sim_run::trace::TraceKind;
use std::sync::Arc;

const SLEEPER: usize = 3;

fn scenario(lane: &Value, groups: &Value) -> Value {
    let mut machine = sim_run::machine::registry::spec("i7860").expect("shipped");
    let core = &mut machine.topology.packages[0].nodes[0].llcs[0].cores[0];
    (core.count, core.smt) = (2, 1);
    json!({
        "version": 1, "name": format!("{lane}"), "machine": machine, "schedulers": [lane],
        "groups": groups, "end": { "atNs": 3_000 * MS },
    })
}

/// Every lane with three hogs on one CPU, and a thread on the other that sleeps most of the time.
fn plans() -> impl Iterator<Item = Arc<Plan>> {
    let groups = json!([
        { "name": "hog", "count": 3, "behaviour": { "kind": "compute" }, "allowed": [0] },
        { "name": "ed", "count": 1, "behaviour": { "kind": "interactive", "params": {
            "computeUs": 2_000, "sleepUs": 20_000, "computeShape": "constant", "sleepShape": "constant",
        } }, "allowed": [1] },
    ]);
    // Where who runs goes on for ever, nobody else is there to stop and to go on.
    let takes_turns = |lane: &Value| lane["era"] != "fifo";
    lanes()
        .into_iter()
        .filter(takes_turns)
        .map(move |lane| plan(&scenario(&lane, &groups)))
}

fn thread(name: &str) -> Target {
    Target {
        group: None,
        thread: Some(name.to_owned()),
    }
}

fn pause(name: &str) -> Edit {
    Edit::Pause {
        target: thread(name),
    }
}

fn resume(name: &str) -> Edit {
    Edit::Resume {
        target: thread(name),
    }
}

fn copy(name: &str) -> Edit {
    Edit::Copy {
        thread: name.to_owned(),
    }
}

fn make(sim: &mut Sim, edit: Edit) {
    sim.edit(edit, None).expect("it is there");
}

fn run_ns(sim: &mut Sim, task: usize) -> u64 {
    sim.refresh().account(TaskId::new(task)).run_ns
}

fn state(sim: &Sim, task: usize) -> TaskState {
    sim.task_view(TaskId::new(task)).state
}

fn run_for(sim: &mut Sim, ms: u64) {
    sim.run_until(SimTime(sim.now().0 + ms * MS));
}

/// The first hog that is in a given state.
fn hog_that(sim: &Sim, wanted: TaskState) -> usize {
    (0..3)
        .find(|t| state(sim, *t) == wanted)
        .expect("one of three on a CPU")
}

#[test]
fn a_stopped_thread_does_nothing_until_it_is_let_go_on() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        run_for(&mut sim, 500);
        let (runs, waits) = (
            hog_that(&sim, TaskState::Running),
            hog_that(&sim, TaskState::Queued),
        );
        let goes_on = 3 - runs - waits;
        let names = [runs, waits, SLEEPER].map(|t| sim.task_name(TaskId::new(t)));
        for thread in &names {
            make(&mut sim, pause(thread));
        }
        // A waiting thread may wait long until it is switched in; then it stops.
        run_for(&mut sim, 1_500);
        let mut stopped = [runs, waits, SLEEPER];
        stopped.sort_unstable();
        let told = present(&sim).stopped;
        assert_eq!(
            told,
            stopped.map(|t| u32::try_from(t).expect("few")),
            "{name}"
        );
        let now = sim.refresh();
        let before: Vec<_> = (0..4)
            .map(|t| now.account(TaskId::new(t)).clone())
            .collect();
        run_for(&mut sim, 300);
        let now = sim.refresh();
        for (t, was) in before.iter().enumerate() {
            let is = now.account(TaskId::new(t));
            if t == goes_on {
                assert!(
                    is.run_ns > was.run_ns + 290 * MS,
                    "{name}: hog {t} is alone"
                );
                continue;
            }
            // For a scheduler it sleeps, and the time is counted so.
            let more = [is.run_ns - was.run_ns, is.wait_ns - was.wait_ns];
            assert_eq!(more, [0, 0], "{name}: thread {t}");
        }
        for thread in &names[1..] {
            make(&mut sim, resume(thread));
        }
        run_for(&mut sim, 500);
        assert_eq!(run_ns(&mut sim, runs), before[runs].run_ns, "{name}");
        assert!(run_ns(&mut sim, waits) > before[waits].run_ns, "{name}");
        assert!(run_ns(&mut sim, SLEEPER) > before[SLEEPER].run_ns, "{name}");
        assert_eq!(
            present(&sim).stopped,
            [u32::try_from(runs).expect("few")],
            "{name}"
        );
    }
}

#[test]
fn a_running_thread_stops_after_a_signal_and_a_waiting_one_once_it_is_switched_in() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        run_for(&mut sim, 500);
        let (runs, waits) = (
            hog_that(&sim, TaskState::Running),
            hog_that(&sim, TaskState::Queued),
        );
        let names = [runs, waits].map(|t| sim.task_name(TaskId::new(t)));
        let ran = [runs, waits].map(|t| run_ns(&mut sim, t));
        make(&mut sim, pause(&names[1]));
        assert_eq!(state(&sim, waits), TaskState::Queued, "{name}");
        make(&mut sim, pause(&names[0]));
        run_for(&mut sim, 1);
        assert_eq!(state(&sim, runs), TaskState::Sleeping, "{name}");
        run_for(&mut sim, 2_000);
        assert_eq!(state(&sim, waits), TaskState::Sleeping, "{name}");
        // No more than the delay of a signal plus the time to be switched in.
        for (task, before) in [runs, waits].into_iter().zip(ran) {
            let more = run_ns(&mut sim, task) - before;
            assert!(more < MS / 10, "{name}: thread {task} ran {more} ns more");
        }
    }
}

/// Lets time pass until the sleeper sleeps. Returns the time at which it would wake.
fn until_it_sleeps(sim: &mut Sim) -> SimTime {
    loop {
        let view = sim.task_view(TaskId::new(SLEEPER));
        if let (TaskState::Sleeping, Some(at)) = (view.state, view.wake_at) {
            return at;
        }
        assert!(sim.step_event(), "it sleeps sooner or later");
    }
}

#[test]
fn a_sleep_that_ends_while_its_thread_is_stopped_was_lost() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        let sleeper = TaskId::new(SLEEPER);
        run_for(&mut sim, 100);
        let wakes = until_it_sleeps(&mut sim);
        make(&mut sim, pause("ed-1"));
        // It is resumed before its sleep has ended: then it sleeps on.
        make(&mut sim, resume("ed-1"));
        assert_eq!(sim.task_view(sleeper).wake_at, Some(wakes), "{name}");
        assert!(present(&sim).stopped.is_empty(), "{name}");
        make(&mut sim, pause("ed-1"));
        let switched = sim.refresh().account(sleeper).switches;
        sim.run_until(SimTime(wakes.0 + 200 * MS));
        let view = sim.task_view(sleeper);
        assert!(view.stopped && view.state == TaskState::Sleeping, "{name}");
        assert_eq!(view.wake_at, None, "{name}");
        // Not even to stop once more.
        let again = sim.refresh().account(sleeper).switches;
        assert_eq!(again, switched, "{name}");
        // The event that it was waiting for has happened: it goes on at once.
        let ran = run_ns(&mut sim, SLEEPER);
        make(&mut sim, resume("ed-1"));
        assert_eq!(state(&sim, SLEEPER), TaskState::Queued, "{name}");
        run_for(&mut sim, 3);
        assert!(run_ns(&mut sim, SLEEPER) > ran + MS, "{name}");
    }
}

#[test]
fn a_message_for_a_stopped_thread_was_lost() {
    for lane in lanes() {
        let params = |role| {
            json!({
                "role": role, "port": 1, "inFlight": 1, "requests": 1, "connect": false,
                "injectUs": 5_000, "serveUs": 1_000,
            })
        };
        let server = |name, role| {
            json!({
                "name": name, "count": 1, "behaviour": { "kind": "requestServer", "params": params(role) },
            })
        };
        let groups = json!([server("httpd", "workers"), server("ab", "injector")]);
        let mut sim = Sim::new(&plan(&scenario(&lane, &groups)), 0, checked());
        sim.run_until(SimTime(2 * MS));
        assert_eq!(
            state(&sim, 0),
            TaskState::Sleeping,
            "{lane}: it waits for a request"
        );
        make(&mut sim, pause("httpd-1"));
        run_for(&mut sim, 200);
        let ended = |sim: &Sim| sim.task_view(TaskId::new(1)).exited_at_ns.is_some();
        assert!(!ended(&sim), "{lane}: nobody has answered");
        make(&mut sim, resume("httpd-1"));
        run_for(&mut sim, 200);
        assert!(ended(&sim), "{lane}");
    }
}

#[test]
fn what_is_changed_of_a_stopped_thread_holds_when_it_goes_on() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        run_for(&mut sim, 100);
        for task in ["hog-1", "hog-2", "hog-3"] {
            make(&mut sim, pause(task));
        }
        run_for(&mut sim, 600);
        make(
            &mut sim,
            Edit::Pin {
                target: thread("hog-1"),
                cpus: vec![1],
            },
        );
        make(
            &mut sim,
            Edit::SetNice {
                target: thread("hog-1"),
                nice: 9,
            },
        );
        make(
            &mut sim,
            Edit::Kill {
                thread: Some("hog-2".to_owned()),
            },
        );
        // A second stop has no effect, and a thread that has ended neither stops nor resumes.
        make(&mut sim, pause("hog-3"));
        make(&mut sim, pause("hog-2"));
        make(&mut sim, resume("hog-1"));
        make(&mut sim, resume("hog-1"));
        make(&mut sim, resume("hog-2"));
        let ran = run_ns(&mut sim, 0);
        run_for(&mut sim, 400);
        assert!(run_ns(&mut sim, 0) > ran, "{name}");
        let first = sim.task_view(TaskId::new(0));
        assert_eq!(
            (first.info.last_cpu, first.info.nice),
            (CpuId(1), 9),
            "{name}"
        );
        assert_eq!(state(&sim, 1), TaskState::Exited, "{name}");
        assert_eq!(present(&sim).stopped, [2], "{name}");
    }
}

#[test]
fn a_snapshot_knows_who_is_stopped() {
    let all = Target::default;
    for plan in plans() {
        // At first one thread is only about to stop; later all have stopped, one of them in its sleep.
        for ms in [1, 600] {
            let outcomes = [false, true].map(|restored| {
                let mut sim = Sim::new(&plan, 0, Options::default());
                run_for(&mut sim, 300);
                make(&mut sim, Edit::Pause { target: all() });
                run_for(&mut sim, ms);
                if restored {
                    let kept = sim.snapshot();
                    run_for(&mut sim, 700);
                    sim.restore(&kept).expect("of this run");
                }
                make(&mut sim, Edit::Resume { target: all() });
                run_for(&mut sim, 400);
                outcome(&mut sim)
            });
            assert_same(&outcomes[1], &outcomes[0], &plan.scenario.name);
        }
    }
}

#[test]
fn a_frame_tells_who_has_stopped() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        run_for(&mut sim, 100);
        until_it_sleeps(&mut sim);
        let state_in_frame = |sim: &mut Sim| {
            let mut out = Vec::new();
            frame::fill(sim, &mut out);
            let layout = frame::layout();
            let tasks = sim.task_count();
            let position = layout
                .task
                .iter()
                .position(|c| *c == "state")
                .expect("there");
            let [cpus, cpu_columns] = ["cpus", "cpuColumns"]
                .map(|id| layout.header.iter().position(|c| *c == id).expect("there"))
                .map(|i| format!("{}", out[i]).parse::<usize>().expect("whole"));
            out[layout.header.len() + cpus * cpu_columns + position * tasks + SLEEPER]
        };
        assert!((state_in_frame(&mut sim) - 3.0).abs() < 0.1, "{name}");
        make(&mut sim, pause("ed-1"));
        assert!((state_in_frame(&mut sim) - 5.0).abs() < 0.1, "{name}");
        make(&mut sim, resume("ed-1"));
        assert!((state_in_frame(&mut sim) - 3.0).abs() < 0.1, "{name}");
    }
}

#[test]
fn a_copy_is_as_its_thread_is_now() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, checked());
        run_for(&mut sim, 200);
        let changes = [
            Edit::SetNice {
                target: thread("hog-2"),
                nice: 7,
            },
            Edit::SetWorkingSet {
                target: thread("hog-2"),
                bytes: 4_096,
            },
            Edit::Pin {
                target: thread("hog-2"),
                cpus: vec![1],
            },
            pause("hog-2"),
            copy("hog-2"),
        ];
        for edit in changes {
            make(&mut sim, edit);
        }
        // The next unused number of its group.
        assert_eq!(sim.task_name(TaskId::new(4)), "hog-4");
        let new = sim.task_view(TaskId::new(4));
        assert_eq!((new.info.nice, new.working_set_bytes), (7, 4_096), "{name}");
        assert_eq!(
            new.info.allowed.iter().collect::<Vec<_>>(),
            [CpuId(1)],
            "{name}"
        );
        assert!(!new.stopped, "{name}");
        run_for(&mut sim, 500);
        assert!(run_ns(&mut sim, 4) > 0, "{name}: it never ran");
        make(&mut sim, copy("hog-4"));
        assert_eq!(sim.task_name(TaskId::new(5)), "hog-5");
        let errors = sim.edit(copy("hog-9"), None).expect_err("not there");
        let told: Vec<_> = errors
            .iter()
            .map(|e| (e.path.as_str(), e.message.as_str()))
            .collect();
        let message =
            "no thread is ever called that: must be one of hog-1 to hog-3, ed-1, got \"hog-9\"";
        assert_eq!(told, [("copy", message)], "{name}");
    }
}

#[test]
fn a_copy_of_a_forked_thread_does_what_its_forker_made_it_for() {
    for lane in lanes() {
        let groups = json!([{ "name": "sh", "count": 1, "behaviour": { "kind": "script", "params": {
            "program": "run 5ms; fork; run 5ms", "child": "run 30ms; sleep 2s; run 1ms" } } }]);
        let mut sim = Sim::new(&plan(&scenario(&lane, &groups)), 0, checked());
        sim.run_until(SimTime(100 * MS));
        assert_eq!(
            state(&sim, 1),
            TaskState::Sleeping,
            "{lane}: the child sleeps"
        );
        make(&mut sim, copy("sh-2"));
        run_for(&mut sim, 100);
        // It goes on where the child is: after the sleep. If it had begun as its group does, it would have forked.
        assert_eq!(
            (sim.task_count(), state(&sim, 2)),
            (3, TaskState::Exited),
            "{lane}"
        );
    }
}

#[test]
fn there_is_no_copy_where_there_are_too_many_threads() {
    let groups = json!([
        { "name": "a", "count": 5_000, "startNs": 2_900 * MS, "behaviour": { "kind": "compute" } },
        { "name": "b", "count": 4_999, "startNs": 2_900 * MS, "behaviour": { "kind": "compute" } },
    ]);
    let lane = lanes().swap_remove(0);
    let mut sim = Sim::new(&plan(&scenario(&lane, &groups)), 0, Options::default());
    sim.run_until(SimTime(MS));
    make(&mut sim, copy("a-1"));
    let errors = sim.edit(copy("a-1"), None).expect_err("full");
    let told: Vec<_> = errors
        .iter()
        .map(|e| (e.path.as_str(), e.message.as_str()))
        .collect();
    assert_eq!(told, [("copy", "a run has at most 10000 threads")]);
}

#[test]
fn the_trace_says_when_a_thread_stopped_and_went_on() {
    for plan in plans() {
        let name = &plan.scenario.name;
        let mut sim = Sim::new(&plan, 0, Options::interactive());
        run_for(&mut sim, 500);
        let runs = hog_that(&sim, TaskState::Running);
        let thread = sim.task_name(TaskId::new(runs));
        let from = sim.now();
        make(&mut sim, pause(&thread));
        run_for(&mut sim, 100);
        make(&mut sim, resume(&thread));
        run_for(&mut sim, 10);
        let kinds: Vec<TraceKind> = sim
            .trace()
            .kept()
            .iter()
            .filter(|r| r.at >= from && usize::try_from(r.task) == Ok(runs))
            .map(|r| r.kind)
            .filter(|k| matches!(k, TraceKind::Sleep | TraceKind::Wakeup))
            .collect();
        assert_eq!(kinds, [TraceKind::Sleep, TraceKind::Wakeup], "{name}");
    }
}
