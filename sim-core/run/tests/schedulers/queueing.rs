//! Jobs that arrive by themselves: with one queue in order of arrival, on CPUs without costs, every wait equals that of
//! the recursion of Kiefer and Wolfowitz for the same jobs.

use crate::support::{MS, checked, every_tick, lanes, plan, start, straight};
use serde_json::{Value, json};
use sim_run::config::edit::{Count, Edit, Target};
use sim_run::config::plan::Plan;
use sim_run::report;
use sim_run::rng::Rng;
use sim_run::time::SimTime;
use sim_run::trace::accounts::JobsAccount;
use std::sync::Arc;

const SHAPES: [&str; 3] = ["exponential", "fixed", "twoValued"];

/// Servers, threads, and mean work of a job of the given distribution.
fn scenario(lane: &Value, servers: u16, threads: u32, shape: &str) -> Arc<Plan> {
    let params = json!({
        "interarrivalUs": 1_250 / servers, "serviceUs": 1_000, "serviceShape": shape,
    });
    plan(&json!({
        "version": 1, "name": format!("{lane} {servers} {threads} {shape}"), "machine": "ideal",
        "schedulers": [lane], "seed": 5,
        "groups": [{
            "name": "job", "count": threads, "startSpacingNs": 0, "policy": "fifo", "rtPriority": 50,
            "allowed": (0..servers).collect::<Vec<_>>(),
            "behaviour": { "kind": "jobs", "params": params },
        }],
        "end": { "atNs": 1_500 * MS },
    }))
}

/// Arrivals and waits up to a time, by theory: each job goes to the server that is free first.
fn recursion(plan: &Plan, servers: u16, until: u64) -> (u64, u64) {
    let group = &plan.groups[0];
    let behaviour = (group.behaviour.make)(&group.params).expect("valid");
    let stream = behaviour.jobs().expect("jobs arrive");
    let mut gaps = Rng::stream(plan.seed, "arrivals/job", 0);
    let mut works = Rng::stream(plan.seed, "jobs/job", 0);
    let mut free_at = vec![0; usize::from(servers)];
    let (mut now, mut started, mut waits) = (0, 0, 0);
    loop {
        now += stream.gap(&mut gaps);
        if now > until {
            return (started, waits);
        }
        let first = free_at.iter_mut().min().expect("some");
        let start = now.max(*first);
        *first = start + stream.work(&mut works);
        if start <= until {
            started += 1;
            waits += start - now;
        }
    }
}

#[test]
fn one_queue_gives_the_waits_of_the_recursion() {
    // Its lists of real-time threads are in order of arrival, and no thread there preempts an equal one.
    let lane = json!({ "id": "bfs", "era": "0.512" });
    for servers in [1, 2, 4] {
        // A thread for each server, so that jobs wait for a thread; and one for each job, so that threads wait for a
        // CPU.
        for threads in [u32::from(servers), 80] {
            for shape in SHAPES {
                let plan = scenario(&lane, servers, threads, shape);
                let mut sim = straight(&plan, checked());
                let jobs = sim.jobs();
                let (started, waits) = recursion(&plan, servers, sim.end().0);
                assert!(started > 1_000, "{}", plan.scenario.name);
                assert_eq!(jobs.started, started, "{}", plan.scenario.name);
                // A thread that is switched in takes 1 ns before it looks for work, and a late job delays all jobs
                // behind it.
                let late = (jobs.wait_ns - waits) / started;
                assert!(late < 100, "{}: {late} ns a job", plan.scenario.name);
                if servers == 4 {
                    // At the start all threads look for a job at once; later the signal of a CPU takes no time.
                    let waste = sim.refresh().idle_while_waiting_ns();
                    assert!(waste < 1_000, "{}: {waste} ns", plan.scenario.name);
                }
            }
        }
    }
}

#[test]
fn queues_of_their_own_make_jobs_wait_beside_idle_cpus() {
    let mean = |lane: Value| {
        let mut sim = straight(&scenario(&lane, 4, 80, "exponential"), checked());
        assert_eq!(
            sim.refresh().idle_while_waiting_ns() > 1_000,
            lane["id"] == "manual"
        );
        sim.jobs().wait_ns / sim.jobs().started
    };
    let one = mean(json!({ "id": "bfs", "era": "0.512" }));
    let four = mean(json!({ "id": "manual", "tunables": { "sliceMs": 1_000 } }));
    assert!(four > 2 * one, "{one} {four}");
}

/// Checks that every job that arrived is finished, present or lost.
fn adds_up(jobs: JobsAccount, there: u64) {
    assert_eq!(jobs.arrived, jobs.finished + jobs.lost + there);
    assert!(jobs.started >= jobs.finished);
}

#[test]
fn every_scheduler_serves_the_same_jobs() {
    let mut arrived = Vec::new();
    for lane in lanes() {
        let plan = scenario(&lane, 4, 30, "exponential");
        let mut sim = straight(&plan, checked());
        let digest = report::digest_text(&mut sim);
        let jobs = sim.jobs();
        assert!(jobs.finished > jobs.arrived * 9 / 10, "{lane}: {jobs:?}");
        adds_up(jobs, jobs.arrived - jobs.finished);
        arrived.push(jobs.arrived);
        let mut slow = straight(&plan, every_tick());
        assert_eq!(digest, report::digest_text(&mut slow), "{lane}");
        // The result is the same from a snapshot within the run.
        let mut half = start(&plan, checked());
        half.run_until(SimTime(700 * MS));
        let bytes = half.snapshot();
        let mut other = start(&plan, checked());
        other.restore(&bytes).expect("fits");
        other.run_until(other.end());
        assert_eq!(digest, report::digest_text(&mut other), "{lane}");
        assert_eq!(jobs, other.jobs(), "{lane}");
    }
    arrived.dedup();
    assert_eq!(arrived.len(), 1, "the stream depends on the seed alone");
}

#[test]
fn jobs_end_with_their_threads_and_wait_for_stopped_ones() {
    let lane = json!({ "id": "bfs" });
    let mut sim = start(&scenario(&lane, 4, 6, "fixed"), checked());
    let all = || Target {
        group: Some("job".to_owned()),
        thread: None,
    };
    sim.run_until(SimTime(200 * MS));
    sim.edit(Edit::Pause { target: all() }, None)
        .expect("possible");
    sim.run_until(SimTime(400 * MS));
    let stopped = sim.jobs();
    assert!(stopped.arrived > stopped.finished + 500, "{stopped:?}");
    sim.edit(Edit::Resume { target: all() }, None)
        .expect("possible");
    sim.run_until(SimTime(1_300 * MS));
    let caught_up = sim.jobs();
    assert!(caught_up.arrived < caught_up.finished + 50, "{caught_up:?}");
    let kill = Edit::SetCount {
        group: all().group,
        count: Count::To(0),
    };
    sim.edit(kill, None).expect("possible");
    let killed = sim.jobs();
    assert!(killed.lost > 0 && killed.lost <= 6, "{killed:?}");
    sim.run_until(SimTime(1_400 * MS));
    let alone = sim.jobs();
    assert_eq!(alone.finished, killed.finished);
    assert!(alone.arrived > killed.arrived + 200, "the stream goes on");
}
