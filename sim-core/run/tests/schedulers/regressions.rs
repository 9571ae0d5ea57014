//! One function for each bug that was found, named after its symptom.

use crate::support::{MS, assert_same, checked, every_tick, outcome, plan, start, straight};
use serde_json::{Value, json};
use sim_run::config::edit::{Edit, Target};
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::engine::replay::{Replay, StepKind};
use sim_run::engine::{Options, Sim};
use sim_run::frame;
use sim_run::ids::TaskId;
use sim_run::time::SimTime;
use std::sync::Arc;

/// A machine with `cores` cores of one context each, without costs and delays, and BFS at 1000 Hz.
fn scenario(cores: u16, groups: &Value) -> Value {
    let mut machine = sim_run::machine::registry::spec("i7860").expect("shipped");
    let core = &mut machine.topology.packages[0].nodes[0].llcs[0].cores[0];
    (core.count, core.smt) = (cores, 1);
    let c = &mut machine.costs;
    (c.switch_ns, c.tick_ns, c.kick_ns) = (0, 0, 0);
    (c.idle_exit_ns, c.idle_exit_deep_ns) = (200_000, 200_000);
    machine.idle = None;
    json!({
        "version": 1,
        "name": "regression",
        "machine": machine,
        "schedulers": [{ "id": "bfs", "tunables": { "hz": 1000 } }],
        "groups": groups,
        "end": { "atNs": 3_000 * MS },
    })
}

fn group(name: &str, count: u32, program: &str, start_ns: u64) -> Value {
    json!({
        "name": name, "count": count, "startNs": start_ns, "startSpacingNs": 0,
        "behaviour": { "kind": "script", "params": { "program": program } },
    })
}

#[track_caller]
fn same_with_every_tick(plan: &Arc<Plan>) {
    let quick = outcome(&mut straight(plan, checked()));
    let slow = outcome(&mut straight(plan, every_tick()));
    assert_same(&quick, &slow, "ticks skipped");
}

#[test]
fn a_run_in_which_nothing_happens_hung_the_page() {
    // A lone hog has no events for seconds, so no further keyframe is ever due.
    let plan = plan(&scenario(1, &json!([group("hog", 1, "run", 0)])));
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    assert!(replay.seek(SimTime(3_000 * MS), u64::MAX));
    assert_eq!(replay.sim().now(), SimTime(3_000 * MS));
}

#[test]
fn a_thread_woken_at_a_tick_missed_the_hog_that_was_past_its_slice() {
    // The hog on CPU 0 is past its slice: each tick asks for a reschedule. A thread that wakes at the instant of a tick
    // enters the queue before that reschedule, which is therefore not quiet.
    let groups = json!([
        group("hog", 1, "run", 0),
        group("brief", 1, "run 100us", 100 * MS),
    ]);
    let mut scenario = scenario(2, &groups);
    scenario["timing"] = json!({ "tickPhase": "aligned" });
    same_with_every_tick(&plan(&scenario));
}

#[test]
fn a_tick_of_a_signalled_idle_cpu_was_skipped() {
    // The signal takes 200 µs; a tick that comes sooner checks need_resched first.
    let groups = json!([group("late", 1, "run 1ms", 100 * MS + 900_000)]);
    let mut scenario = scenario(2, &groups);
    scenario["timing"] = json!({ "idleTicks": "ticking" });
    same_with_every_tick(&plan(&scenario));
}

#[test]
fn looking_between_two_ticks_of_one_instant_ticked_twice() {
    let mut scenario = scenario(4, &json!([group("hog", 3, "run", 0)]));
    scenario["timing"] = json!({ "tickPhase": "aligned" });
    scenario["groups"][0]["startSpacingNs"] = json!(2 * MS + 3);
    scenario["end"]["atNs"] = json!(100 * MS);
    let plan = plan(&scenario);
    for options in [checked(), every_tick()] {
        let mut looked_at = start(&plan, options);
        while looked_at.step_event() {
            looked_at.refresh();
        }
        looked_at.run_until(looked_at.end());
        let wanted = outcome(&mut straight(&plan, options));
        assert_same(&outcome(&mut looked_at), &wanted, "looked at");
    }
}

#[test]
fn a_picture_with_a_thread_killed_before_its_start_panicked() {
    let groups = json!([group("now", 1, "run", 0), group("late", 2, "run", 500 * MS)]);
    for id in ["bfs", "manual", "random"] {
        let mut scenario = scenario(2, &groups);
        scenario["schedulers"] = json!([{ "id": id }]);
        scenario["edits"] = json!([
            { "atNs": MS, "edit": { "kind": "kill", "target": { "group": "late" } } }
        ]);
        let plan = plan(&scenario);
        let mut picture = Vec::new();
        let mut sim = start(&plan, checked());
        for at in [2 * MS, 600 * MS] {
            sim.run_until(SimTime(at));
            frame::fill(&mut sim, &mut picture);
        }
    }
}

fn renice(nice: i8) -> Edit {
    Edit::SetNice {
        target: Target::default(),
        nice,
    }
}

#[test]
fn an_edit_after_all_threads_had_ended_was_not_in_the_replay() {
    let mut scenario = scenario(1, &json!([group("job", 1, "run 5ms", 0)]));
    scenario["end"]["whenAllExited"] = json!(true);
    let plan = plan(&scenario);
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    replay.advance(SimTime(MS), u64::MAX);
    replay.edit(renice(5), None).expect("still running");
    replay.seek(SimTime(3_000 * MS), u64::MAX);
    let errors = replay.edit(renice(6), None).expect_err("the run is over");
    assert!(errors[0].message.contains("over"), "{errors:?}");
    assert_eq!(replay.edits().len(), 1);
}

#[test]
fn stepping_back_after_a_live_edit_went_an_event_too_far() {
    let groups = json!([group("brief", 3, "run 1ms; sleep 3ms; repeat", 0)]);
    let plan = plan(&scenario(2, &groups));
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    replay.advance(SimTime(40 * MS + 5), u64::MAX);
    replay.edit(renice(5), None).expect("valid");
    for _ in 0..7 {
        replay.step(StepKind::Event);
    }
    let here = (replay.sim().now(), replay.sim().handled());
    let picture = outcome(replay.sim_mut());
    replay.step(StepKind::Event);
    replay.step_back(StepKind::Event);
    assert_eq!((replay.sim().now(), replay.sim().handled()), here);
    assert_same(&outcome(replay.sim_mut()), &picture, "back");
}

#[test]
fn restoring_renumbered_the_next_edit() {
    let mut scenario = scenario(2, &json!([group("hog", 3, "run", 0)]));
    scenario["edits"] = json!([{ "atNs": 900 * MS, "edit": { "kind": "setNice", "nice": 3 } }]);
    let plan = plan(&scenario);
    let mut sim = start(&plan, checked());
    sim.run_until(SimTime(300 * MS));
    let bytes = sim.snapshot();
    let mut other: Sim = start(&plan, checked());
    other.restore(&bytes).expect("of this run");
    assert!(other.snapshot() == bytes);
}

#[test]
fn children_that_fork_children_filled_the_memory() {
    let mut scenario = scenario(
        2,
        &json!([group("bomb", 1, "fork; fork; run 1us; repeat", 0)]),
    );
    scenario["groups"][0]["behaviour"]["params"]["child"] = json!("fork; fork; run 1us; repeat");
    let plan = plan(&scenario);
    let unchecked = Options {
        check_every: 0,
        ..Options::default()
    };
    let mut sim = start(&plan, unchecked);
    sim.advance(sim.end(), 30_000);
    assert_eq!(sim.task_count(), 10_000);
}

#[test]
fn a_machine_of_very_many_packages_without_cores_hung_the_page() {
    let mut scenario = scenario(2, &json!([]));
    let empty = json!({ "count": 65_535, "nodes": [{ "count": 65_535, "llcs": [{
        "count": 65_535, "cores": [{ "count": 0, "smt": 1 }]
    }] }] });
    let packages = &mut scenario["machine"]["topology"]["packages"];
    packages.as_array_mut().expect("a list").push(empty);
    let scenario = validate::parse(&scenario.to_string()).expect("the right shape");
    let errors = validate::plan(&scenario).expect_err("impossible");
    let paths: Vec<_> = errors.iter().map(|e| e.path.as_str()).collect();
    let package = "machine.topology.packages[1]";
    let parts = [
        "count",
        "nodes[0].count",
        "nodes[0].llcs[0].count",
        "nodes[0].llcs[0].cores[0].count",
    ];
    assert_eq!(paths, parts.map(|part| format!("{package}.{part}")));
}

#[test]
fn a_snapshot_with_an_impossible_queue_panicked() {
    // Bytes changed on purpose, with a valid seal: they are refused or accepted, never a panic. The fuzz test of
    // `snapshots` finds many; here every byte is changed once.
    let mut scenario = scenario(
        1,
        &json!([group("brief", 1, "run 1ms; sleep 1ms; repeat", 0)]),
    );
    scenario["edits"] = json!([{ "atNs": 900 * MS, "edit": { "kind": "setNice", "nice": 3 } }]);
    let plan = plan(&scenario);
    let mut sim = start(&plan, checked());
    sim.run_until(SimTime(100 * MS));
    let bytes = sim.snapshot();
    for at in 0..bytes.len() - 8 {
        for change in [1, 2, 0x3f, 0x7f, 0x80, 0xff] {
            let mut data = bytes[..bytes.len() - 8].to_vec();
            data[at] ^= change;
            let sealed = crate::seal::seal(&data);
            let before = sim.digest();
            if sim.restore(&sealed).is_err() {
                assert_eq!(sim.digest(), before, "a refused snapshot changed the run");
            } else {
                sim.restore(&bytes).expect("of this run");
            }
        }
    }
}

#[test]
fn a_child_s_slice_was_given_back_before_the_ticks_of_the_parent_s_cpu() {
    // The child ends on another CPU than its parent's, at a tick. What it gives back is capped at a full slice, so it
    // matters whether the parent has been charged.
    let mut scenario = scenario(4, &json!([group("sh", 3, "fork; run", 0)]));
    scenario["groups"][0]["behaviour"]["params"]["child"] = json!("sleep 3999998ns");
    scenario["groups"][0]["process"] = json!("app");
    scenario["groups"][0]["allowed"] = json!([3, 0, 2]);
    scenario["machine"]["topology"] = json!({
        "numbering": "siblingsAdjacent",
        "packages": [{ "count": 1, "nodes": [{ "count": 1, "llcs": [{
            "count": 2, "cores": [{ "count": 1, "smt": 2 }]
        }] }] }],
    });
    scenario["machine"]["costs"]["yieldNs"] = json!(1);
    scenario["schedulers"][0]["tunables"] = json!({ "hz": 250, "rrIntervalMs": 17 });
    scenario["timing"] = json!({ "tickPhase": "aligned", "idleExitNs": 0, "idleExitDeepNs": 0 });
    scenario["end"]["atNs"] = json!(20 * MS);
    same_with_every_tick(&plan(&scenario));
}

#[test]
fn a_parent_that_got_its_child_s_slice_back_still_counted_as_past_its_own() {
    // The parent is past its slice when its child ends and makes it positive again: ticks that are skipped after that
    // must not renew its deadline.
    for us in [7_200, 8_400, 9_900, 14_100] {
        let mut scenario = scenario(2, &json!([group("sh", 2, "run 50us; fork; run", 0)]));
        scenario["groups"][0]["startSpacingNs"] = json!(3 * MS + 17);
        let child = format!("sleep {us}us; run 1us");
        scenario["groups"][0]["behaviour"]["params"]["child"] = json!(child);
        scenario["groups"][0]["allowed"] = json!([0]);
        scenario["end"]["atNs"] = json!(60 * MS);
        for allowed in [json!([0]), json!([1]), json!([0, 1])] {
            scenario["groups"][0]["allowed"] = allowed;
            for count in [1, 2] {
                scenario["groups"][0]["count"] = json!(count);
                same_with_every_tick(&plan(&scenario));
            }
        }
    }
}

#[test]
fn idle_cpus_went_on_looking_every_few_ms_for_threads_that_are_all_pinned() {
    for era in ["2.6.34", "4.9"] {
        let mut hogs = group("hog", 40, "run", 0);
        hogs["allowed"] = json!([0]);
        let mut pinned = scenario(4, &json!([hogs]));
        pinned["schedulers"] = json!([{ "id": "cfs", "era": era }]);
        let looks = |sim: &Sim| {
            let all = sim.counters();
            all.iter()
                .find(|c| c.0 == "loadBalances")
                .map_or(0, |c| c.1)
        };
        let mut sim = start(&plan(&pinned), checked());
        sim.run_until(SimTime(1_000 * MS));
        let first = looks(&sim);
        sim.run_until(SimTime(3_000 * MS));
        let later = looks(&sim) - first;
        // Three idle CPUs, every 512 ms for two seconds; the busy one every 256 ms or more.
        assert!(first > 0, "{era}");
        assert!(later <= 3 * 5 + 9, "{era}: {later} looks");
    }
}

#[test]
fn a_link_to_an_event_opened_up_to_a_millisecond_later() {
    // After its last event for some time the run was advanced to the next sample.
    let plan = plan(&scenario(
        1,
        &json!([group("sh", 1, "run 100us; sleep 20ms; repeat", 0)]),
    ));
    let mut replay = Replay::new(&plan, 0, Options::interactive());
    assert!(replay.step(StepKind::Event));
    assert!(replay.step(StepKind::Event));
    let (at, number) = (replay.sim().now(), replay.sim().handled());
    let mut opened = Replay::new(&plan, 0, Options::interactive());
    assert!(opened.seek_event(number, at, u64::MAX));
    assert_eq!((opened.sim().now(), opened.sim().handled()), (at, number));
    // An event after that time, as a link from another version of the model may contain.
    assert!(opened.seek_event(number + 1_000, at, u64::MAX));
    assert_eq!(opened.sim().now(), at);
}

#[test]
fn events_were_counted_differently_after_a_live_edit_at_a_tick() {
    // Hogs past their slice: each of their ticks is quiet, but asks for a reschedule.
    let groups = json!([group("hog", 1, "run", 0)]);
    let asked = scenario(1, &groups);
    let mut live = Replay::new(&plan(&asked), 0, Options::interactive());
    live.seek(SimTime(120 * MS), u64::MAX);
    let edit = Edit::SetNice {
        target: Target::default(),
        nice: 0,
    };
    live.edit(edit, None).expect("valid");
    let mut logged = asked;
    logged["edits"] = json!(live.edits());
    let mut again = Replay::new(&plan(&logged), 0, Options::interactive());
    again.seek(SimTime(120 * MS), u64::MAX);
    assert_eq!(again.sim().handled(), live.sim().handled());
}

#[test]
fn an_edit_at_the_instant_at_which_all_ended_was_logged_but_not_replayed() {
    let mut over = scenario(1, &json!([]));
    over["end"]["whenAllExited"] = json!(true);
    over["edits"] = json!([{ "atNs": 0, "set": { "groups.*.nice": 0 } }]);
    let mut sim = start(&plan(&over), checked());
    let edit = Edit::set("groups.*.nice", &json!(0)).expect("an edit");
    let errors = sim.edit(edit, None).expect_err("all have ended");
    assert!(errors[0].message.contains("the run is over"), "{errors:?}");
    assert_eq!(sim.edits().len(), 1);
}

/// ULE's ticks of a lone thread are quiet, but count as events if anything else happens at their instant.
fn lone_threads_with_daemons() -> Value {
    let mut asked = scenario(1, &json!([]));
    asked["schedulers"] = json!([{ "era": "11.1-linux", "id": "ule", "tunables": { "hz": 250 } }]);
    asked["background"] = json!({
        "daemons": { "count": 6, "tickAlignedPercent": 91, "wakesPerSecond": 1636 },
    });
    asked["end"] = json!({ "atNs": 120 * MS, "whenAllExited": false });
    asked
}

#[test]
fn whoever_looked_amid_an_instant_changed_the_run() {
    let asked = lone_threads_with_daemons();
    let mut alone = Sim::new(&plan(&asked), 0, checked());
    alone.run_until(alone.end());
    let mut seen = Sim::new(&plan(&asked), 0, checked());
    while seen.step_event() {
        seen.digest();
    }
    seen.run_until(seen.end());
    assert_eq!(seen.handled(), alone.handled());
    assert_eq!(seen.digest(), alone.digest());
}

#[test]
fn a_step_back_from_the_end_left_out_events_of_the_last_instant() {
    let mut replay = Replay::new(&plan(&lone_threads_with_daemons()), 0, checked());
    let end = replay.sim().end();
    replay.seek(end, u64::MAX);
    let all = replay.sim().handled();
    assert!(replay.step_back(StepKind::Event));
    assert_eq!(replay.sim().handled(), all - 1);
    assert!(replay.step(StepKind::Event));
    assert_eq!(replay.sim().handled(), all);
}

/// The time at which a daemon alone on a machine of one CPU first wakes; interrupts in percent.
fn first_wakeup_of_a_daemon(interrupts: u32, timing: &Value) -> u64 {
    let mut scenario = scenario(1, &json!([]));
    scenario["timing"] = timing.clone();
    scenario["background"] = json!({ "daemons": {
        "count": 1, "wakesPerSecond": 50, "interruptPercent": interrupts,
        "tickAlignedPercent": 0, "runMeanNs": 100_000, "chainPercent": 0,
    } });
    let plan = plan(&scenario);
    let mut sim = Sim::new(&plan, 0, Options::interactive());
    sim.run_until(SimTime(1_000 * MS));
    let woken = |r: &&sim_run::trace::TraceRecord| r.kind == sim_run::trace::TraceKind::Wakeup;
    let first = sim.trace().from_seq(0).find(woken);
    first.expect("it wakes fifty times a second").at.0
}

#[test]
fn a_timer_on_an_idle_cpu_was_served_without_the_delay_of_leaving_idleness() {
    // The signal with which it starts, and its timer.
    let (start, timer) = (200_000, 200_000);
    let timers = |timing: Value| first_wakeup_of_a_daemon(0, &timing);
    let at_once = timers(json!({ "idleExitNs": 0, "idleExitDeepNs": 0 }));
    assert_eq!(timers(json!({})), at_once + start + timer);
    let all = json!({ "idleExitDelays": "all" });
    assert_eq!(timers(all.clone()), at_once + start + timer);
    let interrupts = |timing: Value| first_wakeup_of_a_daemon(100, &timing);
    let at_once = interrupts(json!({ "idleExitNs": 0, "idleExitDeepNs": 0 }));
    assert_eq!(interrupts(json!({})), at_once + start);
    assert_eq!(interrupts(all), at_once + start + timer);
}

#[test]
fn a_run_taken_back_amid_a_switch_left_memory_as_full_as_before() {
    let mut scenario = scenario(
        4,
        &json!([
            { "name": "loops", "count": 3, "startSpacingNs": 1_000, "behaviour": { "kind": "loop" } },
            { "name": "shells", "count": 3, "startSpacingNs": 1_000_000, "behaviour": {
                "kind": "rayTracer", "params": {
                    "threads": 1, "workMs": 0, "createUs": 1, "shellUs": 10, "start": "atOnce" } } },
        ]),
    );
    // Every line comes from memory, and the two contexts of a core wait for theirs together.
    let machine = &mut scenario["machine"];
    machine["caches"] = json!([]);
    machine["topology"]["packages"][0]["nodes"][0]["llcs"] =
        json!([{ "count": 2, "cores": [{ "count": 2, "smt": 2 }] }]);
    for cost in ["idleExitNs", "idleExitDeepNs", "lineTransferNs"] {
        machine["costs"][cost] = json!(0);
    }
    machine["costs"]["yieldNs"] = json!(1);
    scenario["schedulers"] = json!([{ "id": "cfs", "era": "4.9", "tunables": { "hz": 100 } }]);
    scenario["timing"] = json!({ "idleTicks": "tickless", "tickPhase": "aligned" });
    scenario["groups"][1]["allowed"] = json!([0]);
    scenario["edits"] =
        json!([{ "atNs": 0, "edit": { "kind": "unpin", "target": { "group": "shells" } } }]);
    scenario["seed"] = json!(0);
    scenario["end"] = json!({ "atNs": 20 * MS });
    let plan = plan(&scenario);
    let end = SimTime(20 * MS);
    let mut straight = Replay::new(&plan, 0, checked());
    straight.seek(end, u64::MAX);
    let whole = straight.sim_mut().digest();
    let events = straight.sim().handled();
    assert!(events > 20, "{events} events");
    for at in 0..events {
        let mut taken_back = Replay::new(&plan, 0, checked());
        taken_back.seek_event(at, end, u64::MAX);
        let bytes = taken_back.snapshot();
        taken_back.restore(&bytes).expect("of this run");
        taken_back.seek(end, u64::MAX);
        assert_eq!(
            taken_back.sim_mut().digest(),
            whole,
            "taken back after {at} events"
        );
    }
}

/// A machine without delays, whose switches cost so much.
fn at_once(cores: u16, switch_ns: u32, groups: &Value) -> Value {
    let mut scenario = scenario(cores, groups);
    let costs = &mut scenario["machine"]["costs"];
    costs["switchNs"] = json!(switch_ns);
    // No lock takes time either.
    (costs["yieldNs"], costs["lineTransferNs"]) = (json!(0), json!(0));
    scenario["timing"] = json!({ "idleExitNs": 0, "idleExitDeepNs": 0 });
    scenario
}

#[test]
fn a_cpu_counted_as_idle_beside_waiting_threads_that_it_may_not_run() {
    let unused_ms = |allowed: &[Value]| {
        let mut asked = at_once(4, 0, &json!([]));
        // The baseline that never moves a thread by itself.
        asked["schedulers"] = json!([{ "id": "manual" }]);
        let hogs = allowed.iter().enumerate().map(|(i, cpus)| {
            let mut hogs = group(&format!("hog{i}"), 2, "run", 0);
            hogs["allowed"] = cpus.clone();
            hogs
        });
        asked["groups"] = hogs.collect();
        asked["end"]["atNs"] = json!(100 * MS);
        let mut sim = straight(&plan(&asked), checked());
        sim.refresh().measured_integrals().0 / MS
    };
    assert_eq!(unused_ms(&[json!([0])]), 0, "three CPUs are forbidden");
    assert_eq!(
        unused_ms(&[json!([0]), json!([1, 2])]),
        0,
        "those of the second group run on CPUs 1 and 2"
    );
}

#[test]
fn the_latency_of_a_wake_up_ended_before_the_thread_s_first_instruction() {
    let sleeper = json!([group("brief", 1, "sleep 3ms; run 1ms; repeat", 0)]);
    let sim = straight(&plan(&at_once(1, 5_000, &sleeper)), checked());
    let (_, latency) = sim.measured_waits();
    assert!(latency.count > 700, "{}", latency.count);
    assert_eq!(latency.sum_ns, latency.count * 5_000, "the switch");
    // A thread of a better policy wakes 2 µs after another, and takes the CPU while the switch is still being paid.
    let mut asked = at_once(
        1,
        5_000,
        &json!([
            group("late", 1, "sleep 3ms; run 1ms", 0),
            group("first", 1, "sleep 2002us; run 1ms", MS),
        ]),
    );
    let first = &mut asked["groups"][1];
    (first["policy"], first["rtPriority"]) = (json!("fifo"), json!(1));
    let sim = straight(&plan(&asked), checked());
    let (_, latency) = sim.measured_waits();
    assert_eq!(
        (latency.count, latency.max_ns),
        (2, 2_000 + 5_000 + MS + 5_000)
    );
}

#[test]
fn each_time_a_thread_was_switched_in_its_work_took_a_nanosecond_longer() {
    for turn in [
        "run 200us; sleep 1ms;",
        "sleep 1ms; run 200us;",
        "run 200us; yield;",
        "yield; run 200us;",
    ] {
        let program = turn.repeat(50);
        for others in [0, 1] {
            let mut groups = vec![group("turns", 1, &program, 0)];
            if others > 0 {
                groups.push(group("others", others, "run 300us; yield; repeat", 0));
            }
            for scheduler in ["bfs", "4bsd", "ule", "cfs", "eevdf", "manual"] {
                let mut asked = at_once(1, 0, &json!(groups));
                asked["schedulers"] = json!([{ "id": scheduler }]);
                let mut sim = straight(&plan(&asked), checked());
                let ran = sim.refresh().measured_task(TaskId::new(0)).run_ns;
                assert_eq!(ran, 50 * 200_000, "{turn} {others} under {scheduler}");
            }
        }
    }
}

#[test]
fn threads_that_only_yield_or_wake_each_other_let_time_pass() {
    let idlers = json!([
        group("yields", 2, "yield; repeat", 0),
        group("asks", 1, "post 1; take 2; yield; repeat", 0),
        group("answers", 1, "take 1; post 2; yield; repeat", 0),
        group("naps", 1, "sleep 1ns; repeat", 0),
    ]);
    for scheduler in ["bfs", "4bsd", "ule", "cfs", "eevdf", "manual", "random"] {
        for cores in [1, 2] {
            let mut asked = at_once(cores, 0, &idlers);
            asked["schedulers"] = json!([{ "id": scheduler }]);
            let mut sim = start(&plan(&asked), checked());
            sim.advance(SimTime(5_000), 200_000);
            assert_eq!(
                sim.now(),
                SimTime(5_000),
                "{scheduler}: {} events",
                sim.handled()
            );
        }
    }
}

#[test]
fn skipped_ends_of_slices_brought_the_cpu_use_of_a_lone_interactive_thread_up_to_date() {
    // It wakes at a tick of hz and sleeps again before the next, so that no tick is charged to it. Some of its slices
    // end meanwhile.
    let groups = json!([group("brief", 1, "sleep 40ms; run 1500us; repeat", 0)]);
    let mut scenario = scenario(1, &groups);
    scenario["schedulers"] =
        json!([{ "era": "2007-10", "id": "ule", "tunables": { "hz": 250, "slice": 1 } }]);
    same_with_every_tick(&plan(&scenario));
}
