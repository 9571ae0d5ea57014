use super::*;
use crate::burst::{Burst, Point};
use crate::event::Context;

/// Events by hand: `(time, cpu, current thread, whether an interrupt, what)`.
fn lane(events: &[(u64, u16, Pid, bool, Kind)]) -> Lane {
    let (mut lane, names) = (Lane::with_stretches(), Names::default());
    for (at, cpu, pid, irq, kind) in events {
        let context = Context {
            pid: *pid,
            irq: Some(*irq),
        };
        let event = Event {
            at: *at,
            cpu: *cpu,
            context,
            kind: *kind,
        };
        lane.event(&event, &names);
    }
    lane.close();
    lane
}

fn switch(prev: Pid, prev_state: State, next: Pid) -> Kind {
    Kind::Switch {
        prev,
        prev_prio: 120,
        prev_state,
        next,
        next_prio: 125,
    }
}

fn waking(pid: Pid) -> Kind {
    Kind::Waking {
        pid,
        prio: 120,
        target: None,
    }
}

fn bursts(lane: &Lane, pid: Pid) -> Vec<Burst> {
    lane.threads()[&pid].bursts.iter().collect()
}

#[test]
fn a_run_goes_on_across_preemptions_and_ends_with_a_block() {
    let lane = lane(&[
        (100, 0, 0, false, switch(0, State::Runnable, 1)),
        (110, 0, 1, false, switch(1, State::Preempted, 2)),
        (130, 0, 2, false, switch(2, State::Sleeping, 1)),
        (135, 0, 1, true, waking(2)),
        (150, 0, 1, false, switch(1, State::Sleeping, 2)),
        (160, 0, 2, false, waking(1)),
        (170, 0, 2, false, switch(2, State::Blocked, 1)),
        (180, 0, 1, true, waking(2)),
        (200, 0, 1, false, switch(1, State::Ended, 2)),
        (210, 0, 2, false, switch(2, State::Sleeping, 0)),
    ]);
    let first = &lane.threads()[&1];
    assert_eq!((first.ran, first.waited, first.blocked), (60, 20 + 10, 10));
    assert_eq!((first.preempted, first.left, first.has_ended), (1, 1, true));
    let point = Point {
        pid: 2,
        burst: 1,
        after: 10,
    };
    let expected = [(30, Then::Wait(point, 10)), (30, Then::Exit)];
    let told: Vec<_> = bursts(&lane, 1).iter().map(|b| (b.run, b.then)).collect();
    assert_eq!(told, expected);
    let told: Vec<_> = bursts(&lane, 2).iter().map(|b| (b.run, b.then)).collect();
    assert_eq!(told, [(20, Then::Sleep(5)), (20, Then::Device(10))]);
    // What the second did before it is first named is unknown.
    assert_eq!(lane.threads()[&2].unknown, 10);
    assert_eq!(lane.delays(), [20, 15, 10, 20]);
    let device = lane.stretches().iter().find(|s| s.doing == Doing::Blocked);
    assert_eq!(device.map(|s| (s.pid, s.from, s.to)), Some((2, 170, 180)));
    assert_eq!(lane.threads()[&2].prio, Some(120));
}

#[test]
fn a_missing_switch_leaves_a_time_unknown() {
    let lane = lane(&[
        (100, 0, 0, false, switch(0, State::Runnable, 1)),
        // The switch from 1 to 3 is missing.
        (150, 0, 3, false, switch(3, State::Sleeping, 2)),
        (160, 0, 2, false, switch(2, State::Sleeping, 1)),
        (165, 0, 1, false, switch(1, State::Sleeping, 0)),
    ]);
    let threads = lane.threads();
    assert_eq!((threads[&1].ran, threads[&1].unknown), (5, 60));
    // Whether it still sleeps at the end, a trace that lacks switches does not tell.
    assert_eq!((threads[&3].ran, threads[&3].unknown), (0, 65));
    assert_eq!((threads[&2].ran, lane.missing()), (10, 1));
}

#[test]
fn a_stranger_of_a_filtered_trace_ran_until_its_end() {
    let follow = |from: u64| {
        (0..20).flat_map(move |n| {
            let at = from + 10 * n;
            [
                (at, 0, 0, false, switch(0, State::Runnable, 1)),
                (at + 5, 0, 1, false, switch(1, State::Sleeping, 0)),
            ]
        })
    };
    let mut all: Vec<_> = follow(100).collect();
    all.push((300, 0, 0, false, switch(0, State::Runnable, 1)));
    all.push((305, 0, 1, false, switch(1, State::Preempted, 7)));
    // The switch from 7 is missing. On the other CPU 8 comes, and 9 waits; what they do then is left out.
    all.push((310, 0, 1, false, switch(1, State::Sleeping, 0)));
    all.push((320, 1, 9, false, switch(9, State::Preempted, 8)));
    all.push((900, 0, 0, false, switch(0, State::Runnable, 1)));
    all.push((910, 0, 1, false, switch(1, State::Sleeping, 0)));
    let lane = lane(&all);
    let threads = lane.threads();
    // Before the first line about a thread all is unknown, too.
    assert_eq!((threads[&8].ran, threads[&8].unknown), (0, 810));
    assert_eq!((threads[&9].waited, threads[&9].unknown), (0, 810));
    assert_eq!((threads[&7].ran, threads[&1].ran), (0, 20 * 5 + 5 + 10));
}

#[test]
fn an_accounting_tells_what_a_missing_switch_does_not() {
    let lane = lane(&[
        (100, 0, 1, false, switch(1, State::Preempted, 2)),
        // The switch back to 1 is missing.
        (150, 0, 1, false, Kind::Runtime { pid: 1, ns: 20 }),
        (155, 0, 1, false, switch(1, State::Sleeping, 2)),
    ]);
    let first = &lane.threads()[&1];
    assert_eq!((first.ran, first.waited, first.accounted), (25, 30, 20));
    let told: Vec<_> = lane.stretches().iter().filter(|s| s.pid == 1).collect();
    let told: Vec<_> = told.iter().map(|s| (s.from, s.to, s.doing)).collect();
    let expected = [
        (100, 130, Doing::Waits),
        (130, 150, Doing::Runs),
        (150, 155, Doing::Runs),
    ];
    assert_eq!(told, expected);
}

#[test]
fn who_is_woken_before_it_sleeps_does_not_sleep() {
    let lane = lane(&[
        (100, 0, 0, false, switch(0, State::Runnable, 1)),
        (100, 1, 0, false, switch(0, State::Runnable, 2)),
        (110, 1, 2, false, waking(1)),
        (112, 0, 1, false, switch(1, State::Sleeping, 0)),
        (120, 0, 0, false, switch(0, State::Runnable, 1)),
    ]);
    let first = &lane.threads()[&1];
    assert_eq!((first.ran, first.waited, first.blocked), (12, 8, 0));
}
