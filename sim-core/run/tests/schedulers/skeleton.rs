//! The skeleton of a scheduler runs, and a registry with more schedulers and reasons changes no other lane.

use crate::decisions::{examine, keeping};
use crate::support::MS;
use serde_json::{Value, json};
use sim_contract::prelude::*;
use sim_run::config::validate;
use sim_run::engine::Sim;
use sim_run::report;
use sim_run::sched::registry::ALL;
use sim_run::sched::{Registry, decision};
use std::sync::Arc;

/// A registry of schedulers that are not shipped.
fn registry(schedulers: Vec<&'static SchedulerInfo>) -> Registry {
    Registry::of(Vec::leak(schedulers))
}

fn scenario(lanes: &Value) -> Value {
    json!({
        "version": 1, "name": "a bit of everything", "machine": "i7860", "schedulers": lanes,
        "groups": [
            { "name": "hog", "count": 11, "behaviour": { "kind": "loop" } },
            { "name": "sleeper", "count": 6, "behaviour": { "kind": "interactive" } },
            { "name": "short", "count": 4,
              "behaviour": { "kind": "dhrystone", "params": { "workMs": 40 } } },
        ],
        "edits": [
            { "atNs": 100 * MS, "edit": { "kind": "pin", "target": { "thread": "hog-2" }, "cpus": [3] } },
            { "atNs": 200 * MS, "edit": { "kind": "unpin", "target": {} } },
            { "atNs": 250 * MS, "edit": { "kind": "kill", "target": { "group": "hog" }, "count": 2 } },
            { "atNs": 300 * MS, "edit": { "kind": "spawn", "group": "short", "count": 3 } },
        ],
        "end": { "atNs": 600 * MS },
    })
}

fn run(lanes: &Value, lane: usize, registry: Registry) -> Sim {
    let text = scenario(lanes).to_string();
    let scenario = validate::parse(&text).expect("JSON");
    let plan = validate::plan_with(&scenario, registry).expect("valid");
    let mut sim = Sim::new(&Arc::new(plan), lane, keeping());
    sim.run_until(sim.end());
    sim
}

#[test]
fn the_skeleton_runs_a_bit_of_everything_and_can_be_asked_why() {
    let lanes = json!([{ "id": "skeleton" }]);
    let mut sim = run(&lanes, 0, registry(vec![&sim_schedulers::skeleton::INFO]));
    assert_eq!(sim.fault(), None);
    let looked = examine(&sim, "skeleton");
    assert!(
        looked.to_threads > 1_000 && looked.migrations > 20,
        "{looked:?}"
    );
    let report = report::report(&mut sim);
    assert!(
        report.threads.iter().all(|t| t.cpu_ns > 0),
        "nobody is left out"
    );
    let bytes = sim.snapshot();
    assert!(sim.restore(&bytes).is_ok());
}

#[test]
fn a_scheduler_and_reasons_more_change_no_digest_of_another_lane() {
    let lanes: Vec<Value> = ALL
        .schedulers
        .iter()
        .map(|s| json!({ "id": s.id }))
        .collect();
    let more: Vec<&'static SchedulerInfo> = ALL
        .schedulers
        .iter()
        .map(|info| {
            let mut reasons = info.reasons.to_vec();
            reasons.push(decision::entry("never_given", "refuse", "nowhere", &[]));
            let with_more = SchedulerInfo {
                reasons: Vec::leak(reasons),
                ..**info
            };
            &*Box::leak(Box::new(with_more))
        })
        .collect();
    let bigger = registry([vec![&sim_schedulers::skeleton::INFO], more].concat());
    for lane in lanes {
        let lanes = json!([lane]);
        let mut plain = run(&lanes, 0, ALL);
        let mut among_others = run(&lanes, 0, bigger);
        assert_eq!(plain.digest(), among_others.digest(), "{lane}");
    }
}

/// A scheduler that picks, from its hundredth pick on, a thread that another CPU runs.
mod wrong {
    use super::*;
    use std::collections::VecDeque;

    sim_contract::reasons! {
        FIRST = "first_come", "pickNext", "a test";
    }

    pub(super) static INFO: SchedulerInfo =
        SchedulerInfo::new("wrong", "Wrong", "It errs.", TABLE, |_| {
            Box::new(Wrong::default())
        });

    /// The waiting threads, and the number of picks.
    #[derive(Default)]
    struct Wrong {
        st: (VecDeque<TaskId>, u32),
    }
    sim_contract::keeps_state!(Wrong, st);
    impl QuietTicks for Wrong {}
    impl Kernel for Wrong {}
    impl Observe for Wrong {
        fn queues(&self, out: &mut Vec<QueueRow>) {
            out.extend(QueueRow::list(CpuId(0), &self.st.0));
        }
    }
    impl Scheduler for Wrong {
        fn select_cpu(&mut self, _: &mut Cx<'_>, _: TaskId, _: EnqueueFlags) -> Answer<Placement> {
            Answer::undecided(Placement::Shared)
        }
        fn enqueue(&mut self, _: &mut Cx<'_>, _: Placement, t: TaskId, _: EnqueueFlags) {
            self.st.0.push_back(t);
        }
        fn dequeue(&mut self, _: &mut Cx<'_>, t: TaskId, _: DequeueFlags) {
            self.st.0.retain(|other| *other != t);
        }
        fn put_prev(&mut self, _: &mut Cx<'_>, _: CpuId, prev: Option<TaskId>, why: SwitchReason) {
            self.st.0.extend(prev.filter(|_| why.stays_runnable()));
        }
        fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
            self.st.1 += 1;
            // The thread that another CPU runs.
            let elsewhere = cx
                .curr
                .iter()
                .enumerate()
                .find(|(c, t)| *c != cpu.index() && t.is_some());
            let task = match elsewhere {
                Some((_, Some(task))) if self.st.1 > 100 => Some(*task),
                _ => self.st.0.pop_front(),
            };
            let why = task.map(|t| cx.explain(Some(cpu), Some(t), FIRST, [0; 4]));
            Answer::new(task.map(|task| Pick { task, cause: None }), why)
        }
        fn tick(&mut self, _: &mut Cx<'_>, _: CpuId, _: ClockId) -> bool {
            !self.st.0.is_empty()
        }
    }
}

#[test]
fn a_thread_picked_twice_ends_its_lane_with_a_sentence_and_no_other() {
    let lanes = json!([{ "id": "wrong" }, { "id": "skeleton" }]);
    let both = registry(vec![&wrong::INFO, &sim_schedulers::skeleton::INFO]);
    let sim = run(&lanes, 0, both);
    let fault = sim.fault().expect("a wrong answer");
    assert_eq!(fault.hook, "pick_next");
    assert!(sim.is_finished() && sim.now() < sim.end());
    let says = |part: &str| assert!(fault.message.contains(part), "{}", fault.message);
    says("pick_next");
    says("cpu ");
    says("the thread runs already");
    assert!(fault.task.is_some() && fault.cpu.is_some());
    let other = run(&lanes, 1, both);
    assert_eq!(other.fault(), None);
    assert!(other.now() == other.end());
}
