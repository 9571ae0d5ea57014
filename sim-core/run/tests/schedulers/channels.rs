//! Threads that wait for each other: messages are neither lost nor invented, meetings are complete, and a thread that
//! ends leaves no other thread without its wake-up.

use crate::support::{MS, checked, lanes, plan, start, straight};
use serde_json::{Value, json};
use sim_run::config::edit::Edit;
use sim_run::engine::{Sim, TaskState};
use sim_run::ids::TaskId;
use sim_run::time::SimTime;
use sim_run::trace::accounts::TaskAccount;

fn scenario(lane: &Value, cores: u16, groups: &Value) -> Value {
    let mut machine = sim_run::machine::registry::spec("i7860").expect("shipped");
    let core = &mut machine.topology.packages[0].nodes[0].llcs[0].cores[0];
    (core.count, core.smt) = (cores, 1);
    json!({
        "version": 1, "name": format!("{lane}"), "machine": machine, "schedulers": [lane],
        "groups": groups, "end": { "atNs": 2_000 * MS, "whenAllExited": true },
    })
}

fn group(name: &str, count: u32, kind: &str, params: &Value) -> Value {
    json!({
        "name": name, "count": count, "startSpacingNs": 0, "workingSetBytes": 1,
        "behaviour": { "kind": kind, "params": params },
    })
}

fn account(sim: &mut Sim, task: usize) -> &TaskAccount {
    sim.refresh().account(TaskId::new(task))
}

/// Work of a thread in whole µs.
fn work_us(sim: &mut Sim, task: usize) -> u64 {
    ((account(sim, task).work >> 20) + 500) / 1_000
}

fn asleep(sim: &Sim) -> usize {
    (0..sim.task_count())
        .filter(|t| sim.task_view(TaskId::new(*t)).state == TaskState::Sleeping)
        .count()
}

#[test]
fn every_request_is_served_once() {
    for lane in lanes() {
        for (in_flight, connect) in [(1, true), (3, false), (40, true)] {
            let params = |role| {
                json!({
                    "role": role, "port": 7, "inFlight": in_flight, "requests": 120,
                    "connect": connect, "injectUs": 40, "serveUs": 110,
                })
            };
            let groups = json!([
                group("ab", 1, "requestServer", &params("injector")),
                group("httpd", 5, "requestServer", &params("workers")),
            ]);
            let mut sim = straight(&plan(&scenario(&lane, 2, &groups)), checked());
            assert!(account(&mut sim, 0).exited_at_ns.is_some(), "{lane}");
            assert_eq!(work_us(&mut sim, 0), 120 * 40, "{lane}");
            let served: u64 = (1..6).map(|t| work_us(&mut sim, t)).sum();
            assert_eq!(served, 120 * 110, "{lane}");
            assert_eq!(asleep(&sim), 5, "{lane}");
        }
    }
}

#[test]
fn nobody_is_more_than_one_meeting_ahead() {
    for lane in lanes() {
        let params = json!({ "computeUs": 900, "imbalancePercent": 40, "rounds": 60 });
        let groups = json!([group("omp", 5, "barrier", &params)]);
        let mut sim = start(&plan(&scenario(&lane, 2, &groups)), checked());
        let mut ahead = 0;
        while !sim.is_finished() && sim.now() < sim.end() {
            let next = SimTime(sim.now().0 + 700_000);
            sim.run_until(next);
            let work: Vec<u64> = (0..5).map(|t| work_us(&mut sim, t)).collect();
            let (most, least) = (work.iter().max().expect("5"), work.iter().min().expect("5"));
            ahead = ahead.max(most - least);
        }
        assert!(sim.is_finished(), "{lane}");
        assert!(ahead > 300, "{lane}: nobody had to wait");
        // The works of 60 rounds also differ by chance: a few standard deviations of 60 draws.
        assert!(ahead < 1_260 + 6_000, "{lane}: {ahead} µs");
    }
}

#[test]
fn a_pipe_holds_no_more_than_it_can() {
    for lane in lanes() {
        let params = json!({ "stages": 3, "pipeHolds": 4, "workUs": 50, "messages": 200 });
        let groups = json!([group("line", 6, "pipeline", &params)]);
        let mut sim = start(&plan(&scenario(&lane, 2, &groups)), checked());
        while !sim.is_finished() && sim.now() < sim.end() {
            let next = SimTime(sim.now().0 + 130_000);
            sim.run_until(next);
            for line in [0, 3] {
                let done: Vec<u64> = (line..line + 3)
                    .map(|t| work_us(&mut sim, t) / 50)
                    .collect();
                for pair in done.windows(2) {
                    // Four are in the pipe, and each of the two threads holds one.
                    let between = i128::from(pair[0]) - i128::from(pair[1]);
                    assert!((-1..=6).contains(&between), "{lane}: {done:?}");
                }
            }
        }
        assert!(sim.is_finished(), "{lane}");
        assert!((0..6).all(|t| work_us(&mut sim, t) == 200 * 50), "{lane}");
    }
}

#[test]
fn a_ray_tracer_waits_for_all_its_threads() {
    for lane in lanes() {
        for start in ["chain", "atOnce"] {
            let params = json!({ "threads": 9, "createUs": 30, "start": start, "workMs": 5 });
            let groups = json!([group("cray", 2, "rayTracer", &params)]);
            let mut sim = straight(&plan(&scenario(&lane, 3, &groups)), checked());
            assert!(sim.is_finished(), "{lane}");
            assert_eq!(sim.task_count(), 2 + 18, "{lane}");
            let ends: Vec<u64> = (0..20)
                .map(|t| account(&mut sim, t).exited_at_ns.expect("all ended"))
                .collect();
            let last = ends[2..].iter().max().expect("18 of them");
            // The last child wakes the parent, which may end while that child is on its way out.
            assert!(ends[0].max(ends[1]) + MS > *last, "{lane}: {ends:?}");
            assert!((2..20).all(|t| work_us(&mut sim, t) == 5_030), "{lane}");
        }
    }
}

fn kill(sim: &mut Sim, thread: &str) {
    let edit = Edit::Kill {
        thread: Some(thread.to_owned()),
    };
    sim.edit(edit, None).expect("it lives");
}

#[test]
fn a_meeting_does_not_wait_for_the_dead() {
    for lane in lanes() {
        let params = json!({ "computeUs": 10_000, "imbalancePercent": 0, "rounds": 3 });
        // A thread that is alone on its CPU arrives after 10 ms, the two that share one after 20 ms.
        let mut groups = json!([group("omp", 3, "barrier", &params)]);
        groups[0]["startNs"] = json!(0);
        groups[0]["startSpacingNs"] = json!(30 * MS);
        let mut sim = start(&plan(&scenario(&lane, 3, &groups)), checked());
        // Two threads wait for the third, which starts at 60 ms.
        sim.run_until(SimTime(50 * MS));
        assert_eq!(asleep(&sim), 2, "{lane}");
        kill(&mut sim, "omp-3");
        sim.run_until(SimTime(55 * MS));
        assert_eq!(asleep(&sim), 0, "{lane}");
        sim.run_until(sim.end());
        assert!(sim.is_finished(), "{lane}");
    }
}

#[test]
fn a_wake_up_of_a_thread_that_is_killed_goes_to_the_next() {
    for lane in lanes() {
        // Two workers wait. A hog keeps the only CPU, so a woken worker may be killed before it looks for its request.
        let params = |role| {
            json!({
                "role": role, "port": 1, "inFlight": 1, "requests": 1, "connect": false,
                "injectUs": 5_000, "serveUs": 1_000,
            })
        };
        let mut groups = json!([
            group("httpd", 2, "requestServer", &params("workers")),
            group("ab", 1, "requestServer", &params("injector")),
            group("hog", 1, "dhrystone", &json!({ "workMs": 200 })),
        ]);
        groups[1]["startNs"] = json!(MS);
        groups[2]["startNs"] = json!(MS);
        let mut sim = start(&plan(&scenario(&lane, 1, &groups)), checked());
        let state = |sim: &Sim, task| sim.task_view(TaskId::new(task)).state;
        while sim.step_event() {
            let woken = (0..2).find(|t| state(&sim, *t) != TaskState::Sleeping);
            if sim.now().0 > 2 * MS
                && let Some(t) = woken
            {
                kill(&mut sim, &format!("httpd-{}", t + 1));
                break;
            }
        }
        sim.run_until(sim.end());
        assert!(account(&mut sim, 2).exited_at_ns.is_some(), "{lane}");
    }
}

#[test]
fn who_is_preempted_by_a_thread_that_it_woke_has_not_done_the_next_thing_yet() {
    // CFS: a worker that slept is far enough behind to preempt. The injector has sent one of its two requests.
    let params = |role| {
        json!({
            "role": role, "port": 1, "inFlight": 2, "requests": 2, "connect": false,
            "injectUs": 9_000, "serveUs": 1_000,
        })
    };
    let mut groups = json!([
        group("httpd", 2, "requestServer", &params("workers")),
        group("ab", 1, "requestServer", &params("injector")),
    ]);
    groups[1]["startNs"] = json!(100 * MS);
    let lane = json!({ "id": "cfs", "era": "4.9", "tunables": { "groupPerApplication": false } });
    let mut sim = straight(&plan(&scenario(&lane, 1, &groups)), checked());
    assert_eq!(account(&mut sim, 2).involuntary, 2);
    assert!((0..2).all(|t| work_us(&mut sim, t) == 1_000), "one each");
}

/// Two threads and a pipe: the work of each for 1,000 messages of 2 µs, in ns.
fn pipe_pair(jitter: u64) -> [u64; 2] {
    let params = json!({
        "stages": 2, "workUs": 2, "pipeHolds": 1, "messages": 1_000, "burstJitter": jitter,
    });
    let lane = json!({ "id": "eevdf", "tunables": { "groupPerApplication": false } });
    let groups = json!([group("line", 2, "pipeline", &params)]);
    let mut sim = straight(&plan(&scenario(&lane, 1, &groups)), checked());
    [0, 1].map(|task| account(&mut sim, task).work >> 20)
}

#[test]
fn equal_bursts_differ_by_their_jitter() {
    let [a, b] = pipe_pair(0);
    assert_eq!(a, b);
    let with = pipe_pair(1);
    assert_ne!(with[0], with[1], "each thread has its own stream");
    // A thousand draws from -2 to 2 ns: the sum stays within some standard deviations of 45.
    assert!(
        with.iter().all(|w| w.abs_diff(a) < 300),
        "{with:?}, not {a}"
    );
    assert_eq!(with, pipe_pair(1), "the seed decides");
}
