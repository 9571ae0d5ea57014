//! Edits during a run: in the past, on threads that do not exist yet, and on threads that were added.

use crate::support::shipped_scenario;
use sim_run::config::edit::{Count, Edit, Target};
use sim_run::config::validate;
use sim_run::engine::replay::Replay;
use sim_run::engine::{Options, Sim, TaskState};
use sim_run::ids::TaskId;
use sim_run::params::ParamValue;
use sim_run::time::SimTime;
use std::sync::Arc;

fn set_nice(nice: i8) -> Edit {
    Edit::SetNice {
        target: Target::default(),
        nice,
    }
}

#[test]
fn an_edit_in_the_past_drops_later_live_edits_but_not_planned_ones() {
    let mut scenario = shipped_scenario("bfs-smt");
    scenario.edits.push(sim_run::config::edit::TimedEdit {
        at_ns: 300_000_000,
        edit: set_nice(7),
        lane: None,
    });
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let mut run = Replay::new(&plan, 0, Options::interactive());
    run.advance(SimTime(200_000_000), u64::MAX);
    run.edit(set_nice(5), None).expect("valid");
    run.advance(SimTime(400_000_000), u64::MAX);
    run.seek(SimTime(100_000_000), u64::MAX);
    run.edit(set_nice(-3), None).expect("valid");
    let left: Vec<_> = run.edits().iter().map(|e| e.at_ns).collect();
    assert_eq!(left, [100_000_000, 300_000_000]);
}

#[test]
fn controls_show_what_a_kernel_chose_for_the_machine() {
    // Both scenarios leave the value at 0. On eight CPUs the slice is 20 ms; on sixteen, 3 threads let a CPU steal.
    for (id, lane, tunable, chosen) in [
        ("bfs-smt", 0, "rrIntervalMs", 20),
        ("s0-v890", 1, "stealThresh", 3),
    ] {
        let plan = Arc::new(validate::plan(&shipped_scenario(id)).expect("valid"));
        let sim = Sim::new(&plan, lane, Options::interactive());
        let shown = sim_run::present::present(&sim).tunables;
        assert_eq!(shown.get(tunable), Some(&ParamValue::Int(chosen)), "{id}");
    }
}

#[test]
fn controls_show_the_applications_that_have_equal_shares() {
    let mut scenario = shipped_scenario("cfs-eevdf");
    let told = |scenario: &sim_run::config::Scenario| {
        let plan = Arc::new(validate::plan(scenario).expect("valid"));
        let sim = Sim::new(&plan, 0, Options::interactive());
        sim_run::present::present(&sim).applications
    };
    assert_eq!(told(&scenario), [""; 0], "its lanes have no groups");
    scenario.schedulers[0].tunables.clear();
    assert_eq!(told(&scenario), ["hog", "half"]);
}

#[test]
fn controls_show_what_a_control_group_has_left_and_when_it_gets_more() {
    let file = "/../../scenarios/experiments/container.json";
    let text = std::fs::read_to_string(format!("{}{file}", env!("CARGO_MANIFEST_DIR")));
    let scenario = validate::parse(&text.expect("readable")).expect("plain");
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    for lane in 0..plan.lanes.len() {
        let mut sim = Sim::new(&plan, lane, Options::interactive());
        let mut told = |ms: u64| {
            sim.run_until(SimTime(ms * 1_000_000));
            let [limit] = &sim_run::present::limits(sim.refresh())[..] else {
                panic!("one group has a limit");
            };
            limit.clone()
        };
        // Four workers begin their jobs at 200 ms, and use 50 ms up in 20.
        let early = told(205);
        assert_eq!((early.name.as_str(), early.quota_ns), ("web", 50e6));
        assert!((25e6..40e6).contains(&early.left_ns), "{early:?}");
        assert_eq!((early.period_ns, &early.groups[..]), (100e6, &[0][..]));
        assert_eq!((early.filled_at_ns, early.refill_at_ns), (200e6, 300e6));
        assert!(early.held.is_empty());
        let late = told(260);
        // A queue keeps up to 1 ms.
        assert!(late.left_ns <= 4e6, "{late:?}");
        assert_eq!(late.refill_at_ns, 300e6);
        let since: Vec<_> = late.held.iter().map(|held| held.since_ns).collect();
        assert!(!since.is_empty(), "{late:?}");
        assert!(
            since.iter().all(|at| (205e6..260e6).contains(at)),
            "{late:?}"
        );
        let tasks = (0..sim.task_count()).map(TaskId::new);
        let waits = tasks.filter(|t| sim.task_view(*t).state == TaskState::Queued);
        let waiting: Vec<_> = waits.collect();
        assert!(!waiting.is_empty());
        let sim = sim.refresh();
        let throttled = |t: &TaskId| sim.scheduler().is_throttled(*t);
        assert!(waiting.iter().all(throttled), "no CPU may take them");
    }
}

#[test]
fn an_edit_that_waits_for_a_thread_waits_after_going_back_too() {
    let scenario = r#"{"version": 1, "name": "forks", "machine": "i7860", "schedulers": [{"id": "cfs"}],
        "groups": [{"name": "sh", "count": 1, "behaviour": {"kind": "script",
            "params": {"program": "run 5ms; fork; run", "child": "run"}}}],
        "end": {"atNs": 30000000},
        "edits": [{"atNs": 1000000, "set": {"threads.sh-2.nice": 7}}]}"#;
    let scenario = validate::parse(scenario).expect("plain");
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let ms = |ms: u64| SimTime(ms * 1_000_000);
    let end = |sim: &mut Sim| {
        sim.run_until(ms(30));
        let nice = sim.task_view(TaskId::new(1)).info.nice;
        (nice, sim.digest())
    };
    let straight = end(&mut Sim::new(&plan, 0, Options::default()));
    assert_eq!(straight.0, 7);
    let mut run = Replay::new(&plan, 0, Options::interactive());
    run.advance(ms(3), u64::MAX);
    let waiting = run.snapshot();
    run.seek(ms(20), u64::MAX);
    run.seek(ms(2), u64::MAX);
    run.seek(ms(30), u64::MAX);
    assert_eq!(end(run.sim_mut()), straight);
    let mut again = Sim::new(&plan, 0, Options::default());
    again.restore(&waiting).expect("of this run");
    assert_eq!(end(&mut again), straight);
}

#[test]
fn an_edit_made_live_may_name_a_thread_that_an_earlier_one_added() {
    let scenario = shipped_scenario("bfs-smt");
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let mut sim = Sim::new(&plan, 0, Options::default());
    sim.run_until(SimTime(10_000_000));
    let nice = |n: u32| Edit::SetNice {
        target: Target {
            group: None,
            thread: Some(format!("dhry-{n}")),
        },
        nice: 3,
    };
    let errors = sim.edit(nice(5), None).expect_err("there are four");
    assert_eq!(errors[0].path, "set");
    let spawn = Edit::SetCount {
        group: Some("dhry".to_owned()),
        count: Count::To(5),
    };
    sim.edit(spawn, None).expect("valid");
    sim.edit(nice(5), None).expect("there are five now");
}

#[test]
fn a_number_of_threads_is_that_of_those_that_live() {
    let scenario = r#"{"version": 2, "name": "counts", "machine": "i7860", "schedulers": [{"id": "cfs"}],
        "groups": [{"name": "gone", "count": 3, "startSpacingNs": 0, "behaviour": {"kind": "script",
            "params": {"program": "run 1ms"}}}],
        "end": {"atNs": 30000000},
        "edits": [{"atNs": 1000, "set": {"groups.gone.count": 5}},
            {"atNs": 2000, "set": {"groups.gone.count": 2}},
            {"atNs": 3000, "set": {"groups.gone.count": "+2"}},
            {"atNs": 4000, "set": {"groups.gone.count": "-1"}},
            {"atNs": 20000000, "set": {"groups.gone.count": 1}},
            {"atNs": 20600000, "set": {"groups.gone.count": 0}}]}"#;
    let scenario = validate::parse(scenario).expect("plain");
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let mut sim = Sim::new(&plan, 0, Options::default());
    let mut alive = |ns: u64| {
        sim.run_until(SimTime(ns));
        let tasks = (0..sim.task_count()).map(TaskId::new);
        tasks
            .filter(|t| sim.task_view(*t).state != TaskState::Exited)
            .count()
    };
    let times = [
        500, 1_500, 2_500, 3_500, 4_500, 19_000_000, 20_500_000, 20_700_000,
    ];
    assert_eq!(times.map(&mut alive), [3, 5, 2, 4, 3, 0, 1, 0]);
}

#[test]
fn edits_that_are_taken_back_leave_no_trace() {
    let mut scenario = shipped_scenario("bfs-smt");
    for at_ms in [95, 100, 300] {
        scenario.edits.push(sim_run::config::edit::TimedEdit {
            at_ns: at_ms * 1_000_000,
            edit: set_nice(7),
            lane: None,
        });
    }
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let at = SimTime(100_000_000);
    for lane in 0..plan.lanes.len() {
        let mut run = Replay::new(&plan, lane, Options::interactive());
        assert!(run.seek(at, u64::MAX));
        let (before, digest) = (run.sim().handled(), run.sim_mut().digest());
        let edits = run.edits().to_vec();
        for nice in [1, 2] {
            run.edit(set_nice(nice), None).expect("valid");
        }
        assert_ne!(run.sim_mut().digest(), digest);
        while !run.take_back(before, at, 50) {}
        assert_eq!(run.sim().now(), at);
        assert_eq!(run.edits(), edits);
        assert_eq!(run.sim_mut().digest(), digest);
        // It does not appear later either.
        let end = SimTime(400_000_000);
        run.advance(end, u64::MAX);
        let mut straight = Sim::new(&plan, lane, Options::default());
        straight.run_until(end);
        assert_eq!(run.sim_mut().digest(), straight.digest());
    }
}
