//! A parent forks the threads of its group one after the other, occupies a CPU meanwhile, and then waits.

use crate::support::{MS, checked, every_tick, lanes, plan, start, straight};
use serde_json::{Value, json};
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::engine::TaskState;
use sim_run::ids::TaskId;
use sim_run::report;
use sim_run::time::SimTime;
use std::sync::Arc;

const FORK: u64 = 300_000;

fn scenario(lane: &Value, parent: &Value) -> Value {
    json!({
        "version": 1, "name": format!("{lane}"), "machine": "v890", "schedulers": [lane],
        "groups": [{
            "name": "loop", "count": 6, "parent": parent, "startNs": 2 * MS,
            "behaviour": { "kind": "loop", "params": { "workMs": 20 } }, "workingSetBytes": 1_024,
        }],
        "end": { "atNs": 200 * MS, "whenAllExited": true },
    })
}

fn with_parent(lane: &Value) -> Arc<Plan> {
    plan(&scenario(lane, &json!({})))
}

#[test]
fn children_appear_one_after_the_other_while_their_parent_has_a_cpu() {
    for lane in lanes() {
        let plan = with_parent(&lane);
        let mut sim = straight(&plan, checked());
        let now = sim.refresh();
        let parent = now.task_count() - 1;
        assert_eq!(now.task_name(TaskId::new(parent)), "loop-parent-1");
        let view = now.task_view(TaskId::new(parent));
        assert!(view.info.background, "it is not what is measured");
        assert_eq!(view.state, TaskState::Sleeping, "{lane}");
        let ran = now.account(TaskId::new(parent)).run_ns;
        let forks = 6 * FORK..6 * FORK + MS;
        assert!(forks.contains(&ran), "{lane}: {ran}");
        let mut last = 2 * MS;
        for child in 0..6 {
            let view = now.task_view(TaskId::new(child));
            let at = view.started_at_ns.expect("started");
            assert!(at >= last + FORK, "{lane}: child {child} at {at}");
            last = at;
            let by = view.info.parent.map(TaskId::index);
            assert_eq!(by, Some(parent), "{lane}");
            assert!(view.exited_at_ns.is_some(), "{lane}");
        }
        assert!(now.now().0 < 100 * MS, "it ends with the children");
        // The same run with every tick an event, and from a snapshot between the forks.
        let digest = report::digest_text(&mut sim);
        let mut slow = straight(&plan, every_tick());
        assert_eq!(digest, report::digest_text(&mut slow), "{lane}");
        let mut half = start(&plan, checked());
        half.run_until(SimTime(3 * MS));
        let bytes = half.snapshot();
        let mut other = start(&plan, checked());
        other.restore(&bytes).expect("fits");
        other.run_until(other.end());
        assert_eq!(digest, report::digest_text(&mut other), "{lane}");
    }
}

#[test]
fn the_parent_is_on_the_lowest_cpu_and_its_children_are_elsewhere_meanwhile() {
    for id in ["4bsd", "ule"] {
        let lane = json!({ "id": id, "era": "2011-11" });
        let mut sim = start(&with_parent(&lane), checked());
        sim.run_until(SimTime(2 * MS + 5 * FORK));
        let cpu = |task: usize| sim.task_view(TaskId::new(task)).info.last_cpu.index();
        assert_eq!(cpu(6), 0, "{id}");
        for child in 0..4 {
            let view = sim.task_view(TaskId::new(child));
            assert_eq!(view.state, TaskState::Running, "{id}: {child}");
            assert_ne!(cpu(child), 0, "{id}: {child}");
        }
    }
}

#[test]
fn the_run_lasts_until_its_parent_has_waited_for_every_child() {
    const LOOK: u64 = 50_000;
    for lane in lanes() {
        let parent = json!({ "waitCostNs": LOOK });
        let plan = plan(&scenario(&lane, &parent));
        let mut sim = straight(&plan, checked());
        let now = sim.refresh();
        let parent = now.account(TaskId::new(now.task_count() - 1));
        // Six children: the pass that finds the first goes through six, and so on. There is one more pass in vain after
        // each but the last, and one before the first has ended; fewer if some end during a pass.
        let looks = parent.run_ns - 6 * FORK;
        let (least, most) = (21 * LOOK, 42 * LOOK + MS);
        assert!((least..most).contains(&looks), "{lane}: {looks}");
        let children = (0..6).map(|t| now.task_view(TaskId::new(t)).exited_at_ns);
        let last = children.flatten().max().expect("all have ended");
        let exit = parent.exited_at_ns.expect("it has ended");
        assert!(exit >= last + LOOK, "{lane}: {exit}, last child {last}");
        assert_eq!(now.now().0, exit, "{lane}");
        // The same run with every tick an event, and from a snapshot between the passes.
        let digest = report::digest_text(&mut sim);
        let mut slow = straight(&plan, every_tick());
        assert_eq!(digest, report::digest_text(&mut slow), "{lane}");
        let mut half = start(&plan, checked());
        half.run_until(SimTime(exit - LOOK));
        let bytes = half.snapshot();
        let mut other = start(&plan, checked());
        other.restore(&bytes).expect("fits");
        other.run_until(other.end());
        assert_eq!(digest, report::digest_text(&mut other), "{lane}");
    }
}

#[test]
fn a_child_that_was_killed_is_waited_for_as_well() {
    for at in [2 * MS + FORK / 2, 2 * MS + 4 * FORK] {
        let mut scenario = scenario(&json!({ "id": "ule" }), &json!({ "waitCostNs": 1_000 }));
        let target = |thread| json!({ "kind": "kill", "target": { "thread": thread } });
        scenario["edits"] = json!([
            { "atNs": at, "edit": target("loop-1") },
            { "atNs": at, "edit": target("loop-6") },
        ]);
        let sim = straight(&plan(&scenario), checked());
        assert!(sim.now().0 < 100 * MS, "it ends with the children");
    }
}

#[test]
fn a_scenario_with_a_parent_was_refused_on_a_machine_without_a_cost_of_forks() {
    let mut elsewhere = scenario(&json!({ "id": "ule" }), &json!({}));
    elsewhere["machine"] = json!("i7860");
    let elsewhere = validate::parse(&elsewhere.to_string()).expect("parses");
    validate::plan(&elsewhere).expect("the supposition stands");
}

#[test]
fn a_parent_needs_a_cost_in_range_and_a_name_of_its_own() {
    let errors = |scenario: &Value| {
        let scenario = validate::parse(&scenario.to_string()).expect("parses");
        let errors = validate::plan(&scenario).expect_err("refused");
        errors.iter().map(ToString::to_string).collect::<String>()
    };
    let lane = json!({ "id": "ule" });
    let found = errors(&scenario(&lane, &json!({ "forkCostNs": 0 })));
    assert!(found.contains("must be from 1 to 1000000000"), "{found}");
    let mut twice = scenario(&lane, &json!({}));
    let mut other = twice["groups"][0].clone();
    other["name"] = json!("loop-parent");
    twice["groups"].as_array_mut().expect("a list").push(other);
    let found = errors(&twice);
    assert!(found.contains("\"loop-parent\" is taken"), "{found}");
}
